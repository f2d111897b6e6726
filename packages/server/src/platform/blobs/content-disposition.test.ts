import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatContentDisposition, createFileNameParameter } from './content-disposition.ts'

test('an ASCII name is used in both parameters', () => {
  assert.equal(
    formatContentDisposition('scene 1.tif'),
    `attachment; filename="scene 1.tif"; filename*=UTF-8''scene%201.tif`,
  )
})

test('a non-ASCII name is preserved in the encoded parameter', () => {
  assert.equal(
    formatContentDisposition('Wälder.tif'),
    `attachment; filename="W_lder.tif"; filename*=UTF-8''W%C3%A4lder.tif`,
  )
  assert.match(formatContentDisposition('森'), /filename\*=UTF-8''%E6%A3%AE$/)
})

test('no file name can end the header, add a line or add a path', () => {
  for (const name of ['a"; x="b', 'a\r\nset-cookie: x', '../../etc/passwd', 'a\\b', '\ud800', "it's (1)*.tif", '']) {
    const header = formatContentDisposition(name)
    assert.match(header, /^attachment; filename="[^"\\/\r\n]*"; filename\*=UTF-8''[\w.!~%-]+$/, name)
  }
})

test('the name in a URL has no quotation marks, no separator and not the extension of the path', () => {
  const rows = [
    ['a/data.tif', 'scene 1.tif', 'scene_1'],
    ['a/data.tif', 'Wälder.tif', 'Wälder'],
    ['a/data.tif', 'scene.tar.gz', 'scene.tar.gz'],
    ['/archives/item/1', 'scene.zip', 'scene.zip'],
    ['a/data.tif', 'a"; x=b&c\r\n.tif', 'a___x_b_c__'],
  ] as const
  for (const [path, name, expected] of rows)
    assert.deepEqual(createFileNameParameter(path, name), {
      'response-content-disposition': `attachment; filename=${expected}`,
    })
  assert.deepEqual(createFileNameParameter('a/data', ''), {})
})
