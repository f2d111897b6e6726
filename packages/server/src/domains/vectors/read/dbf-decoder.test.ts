import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDbfDecoder } from './dbf-decoder.ts'

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))

test('text is decoded by the language driver of the header', () => {
  const rows: readonly [driver: number, hex: string, text: string][] = [
    [0x01, 'a4 61 6e 64 a3', 'ñandú'],
    [0x02, '90 74 61 62 6c 69 73 73 65 6d 65 6e 74 20 85 20 63 93 74 82', 'Établissement à côté'],
    [0x08, '4b 9b 62 65 6e 68 61 76 6e', 'København'],
    [0x64, '9d a2 64 ab 20 4b 72 61 6b a2 77', 'Łódź Kraków'],
    [0x65, '8c ae e1 aa a2 a0', 'Москва'],
    [0xc9, 'cc ee f1 ea e2 e0', 'Москва'],
    [0x57, 'c9 74 e9', 'Été'],
    [0x13, '93 8c 8b 9e', '東京'],
    [0x4d, 'b1 b1 be a9', '北京'],
  ]
  for (const [driver, hex, text] of rows) assert.equal(createDbfDecoder(null, driver)(bytes(hex)), text)
})

test('the name of a code page takes precedence, in the spellings of programs', () => {
  const rows: readonly [codePage: string, hex: string, text: string][] = [
    ['850', '90 74 82', 'Été'],
    ['CP852', '9d a2 64 ab', 'Łódź'],
    ['OEM 865', '9b 6c', 'øl'],
    ['UTF-8', 'c3 89 74 c3 a9', 'Été'],
    ['65001', 'c3 89', 'É'],
    ['ISO 88591', 'c9', 'É'],
    ['ISO-8859-2', 'a3', 'Ł'],
    ['ANSI 1252', 'c9', 'É'],
    ['LDID/87', 'c9', 'É'],
    ['windows-1251', 'cc', 'М'],
    ['10000', '83', 'É'],
  ]
  for (const [codePage, hex, text] of rows) assert.equal(createDbfDecoder(codePage, 0x57)(bytes(hex)), text, codePage)
})

test('without a known code page, valid UTF-8 is read as such and other text as Windows-1252', () => {
  for (const codePage of [null, 'klingon']) {
    const decode = createDbfDecoder(codePage, 0)
    assert.deepEqual([decode(bytes('c3 89')), decode(bytes('c9'))], ['É', 'É'])
  }
})
