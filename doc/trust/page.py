def write_page(path, found, refused):
    pass
