"""Operations as HTTP routes with JSON bodies, and the document that describes them."""
