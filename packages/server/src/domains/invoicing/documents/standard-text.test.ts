import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toPdfStandardText } from './print-document.ts'

test('letters of the code page are unchanged, marks become similar ones, and other letters are refused', () => {
  const table: readonly (readonly [written: string, text: string | null])[] = [
    ['Müller & Söhne, Zürich – “Žižek” €5', 'Müller & Söhne, Zürich – “Žižek” €5'],
    ['Mu\u0308ller', 'Müller'],
    ['Łódź', null],
    ['中国卫星', null],
    ['Acme שלום', null],
    ['👍🏽 fine', null],
    ['ＡＢＣ', null],
    ['10⁵ ⅓', null],
    ['−5 km² 2‑3 № 7', '-5 km² 2-3 No. 7'],
    ['a\u0000b\u0007c\u009f\u200b\u202ed\u00ad', 'abcd'],
    ['  two\r\n\tlines\u00a0here \u2003', 'two lines here'],
    ['a \u0000 b\t\u200b\tc', 'a b c'],
    ['\ud800', null],
    ['', ''],
  ]
  for (const [source, text] of table) assert.equal(toPdfStandardText(source), text, source)
})

test('the output for any text is in the code page, and converting it again changes nothing', () => {
  const codePage = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, code) => code))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 40 })), (source) => {
      const text = toPdfStandardText(source)
      if (text === null) return
      for (const letter of text) assert.ok(codePage.includes(letter) && !/[\p{Cc}\p{Cf}]/u.test(letter))
      assert.equal(toPdfStandardText(text), text)
    }),
  )
})
