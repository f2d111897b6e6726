import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDownloadFileName } from './download-name.ts'

test('the file extension follows the media type, and is bin for an unknown one', () => {
  const nameOf = (media_type: string): string => formatDownloadFileName({ name: 'field' }, { key: 'data', media_type })
  assert.equal(nameOf('image/tiff; application=geotiff'), 'field.tif')
  for (const type of ['application/x-unknown', 'constructor', '__proto__']) assert.equal(nameOf(type), 'field.bin')
})
