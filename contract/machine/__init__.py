"""What any program needs: errors, whole files, locks, memory, progress, registries."""
