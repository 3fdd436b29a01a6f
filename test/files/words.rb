no header
