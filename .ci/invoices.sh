#!/usr/bin/env bash
# Issues a document of each kind and validates it with tools of others: the XML with the Schematron rules of EN 16931 and PINT
# A-NZ (phive, Java), the PDF with poppler. With --install alone it only installs them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

sources=tools/invoices
tools=${TMPDIR:-/tmp}/swath-invoices-$(cat $sources/pom.xml $sources/ValidateInvoices.java | sha256sum | head -c 12)
if [ ! -f "$tools/ValidateInvoices.class" ]; then
  needed=$(for tool in javac:default-jdk-headless mvn:maven; do command -v "${tool%:*}" >/dev/null || echo "${tool#*:}"; done)
  if [ -n "$needed" ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $needed >/dev/null
  fi
  mvn -q -B -f $sources/pom.xml dependency:copy-dependencies -DoutputDirectory="$tools/lib"
  javac -cp "$tools/lib/*" -d "$tools" $sources/ValidateInvoices.java
fi
if ! command -v pdfinfo >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends poppler-utils >/dev/null
fi
[ "${1:-}" != --install ] || exit 0

folder=$(mktemp -d "${TMPDIR:-/tmp}/swath-documents-XXXXXX")
trap 'rm -rf "$folder"' EXIT
node tools/launch/run.mjs tools/invoices/write-documents.ts "$folder"
validate() { java -cp "$tools:$tools/lib/*" ValidateInvoices "$@"; }
validate "$folder"/*.xml

# A tool that accepts everything would prove nothing.
sed 's|<cbc:PayableAmount currencyID="AUD">|&9|' "$(ls "$folder"/IN-*.xml | head -n 1)" >"$folder/wrong.xml"
if validate "$folder/wrong.xml" >/dev/null; then echo 'an invoice with a wrong sum was accepted' && exit 1; fi

count=0
for file in "$folder"/*.pdf; do
  number=$(basename "$file" .pdf)
  pdfinfo "$file" | grep -E '^Tagged: +yes$' >/dev/null || { echo "$number is not tagged" && exit 1; }
  pdfinfo -struct-text "$file" | grep -E '^ +TH' >/dev/null || { echo "$number has no table" && exit 1; }
  pdftotext "$file" - | grep -F "$number" >/dev/null || { echo "$number does not contain its number" && exit 1; }
  case $number in
    PLAY-* | SANDBOX-*) pdftotext "$file" - | grep 'not a tax invoice' >/dev/null || { echo "$number looks like a tax invoice" && exit 1; } ;;
  esac
  count=$((count + 1))
done
echo "$count documents are tagged PDF"
[ "$count" -gt 10 ]
