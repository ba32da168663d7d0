"""What leaves the gate and what may enter it: unsafe characters, credentials, personal data, texts that give orders.

Pure: no I/O, no clock. `outbound.release` is steps 5 and 6 of the chain; `unicode.find_forbidden` serves step 1.
Kept empty: the regular expressions below cost milliseconds that an import of the package should not pay.
"""
