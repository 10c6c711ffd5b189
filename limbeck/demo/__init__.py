"""The demonstration: three scripted sessions on a small repository, through every real part."""
