"""phantoms"""
