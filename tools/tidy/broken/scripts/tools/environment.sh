echo "read by another script"
