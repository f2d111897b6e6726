-- Cached Features lack the properties that clients of the second generation read; they are serialized again.
truncate item_features;
