"""The platform Feishu/Lark. Import `names` for its names alone; the rest arrives with the gate."""
