import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toPrintableText } from './printable-text.ts'

test('supported letters are kept, others lose their accents or become question marks', () => {
  const table: readonly (readonly [written: string, text: string, lossy: boolean])[] = [
    ['Müller & Söhne, Zürich – “Žižek” €5', 'Müller & Söhne, Zürich – “Žižek” €5', false],
    ['Mu\u0308ller', 'Müller', false],
    ['Łódź, Čapek, Đặng Văn', 'Lódz, Capek, Dang Van', true],
    ['中国卫星', '????', true],
    ['Acme שלום', 'Acme ????', true],
    ['Ωmega', '?mega', true],
    ['한국', '??', true],
    ['👍🏽 fine', '? fine', true],
    ['👩‍👩‍👧', '???', true],
    ['ﬁne ＡＢＣ １２', 'fine ABC 12', true],
    ['10⁵ ⅓', '10? ?', true],
    ['−5 km² 2‑3 № 7', '-5 km² 2-3 No. 7', false],
    ['a\u0000b\u0007c\u009f\u200b\u202ed\u00ad', 'abcd', false],
    ['  two\r\n\tlines\u00a0here \u2003', 'two lines here', false],
    ['a \u0000 b\t\u200b\tc', 'a b c', false],
    ['\ud800', '?', true],
    ['', '', false],
  ]
  for (const [source, text, lossy] of table) assert.deepEqual(toPrintableText(source), { text, lossy }, source)
})

test('the output for any text is in the code page, and converting it again changes nothing', () => {
  const codePage = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, code) => code))
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (source) => {
      const { text } = toPrintableText(source)
      for (const letter of text) assert.ok(codePage.includes(letter) && !/[\p{Cc}\p{Cf}]/u.test(letter))
      assert.deepEqual(toPrintableText(text), { text, lossy: false })
    }),
  )
})
