// Generated from the contract by `npm run generate`; do not edit.

/** File name extension by media type, without parameters. */
export const extensionByMediaType: Readonly<Record<string, string>> = {
  'image/tiff': 'tif',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/jp2': 'jp2',
  'application/geo+json': 'geojson',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'application/zip': 'zip',
}
