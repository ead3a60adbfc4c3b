"""What one word can do: which single words flip a classifier's answer, in how many texts."""
