import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRegexLiterals, readSource } from './source-text.ts'

const specifiers = (text: string): string[] => readSource(text).imports.map((line) => `${line.kind} ${line.specifier}`)

test('readSource finds imports of every form, including type imports and imports across lines', () => {
  const text = [
    "import one from './one.ts'",
    "import {\n  two,\n  type Three,\n} from './two.ts'",
    "import './effect.ts'",
    "export { four } from './four.ts'",
    "const five = await import('./five.ts')",
    "const shape: import('./six.ts').Six = five",
    "const worker = new Worker(new URL('./seven.ts', import.meta.url))",
    "const page = join(import.meta.dirname, 'eight.html')",
  ].join('\n')
  const names = ['one', 'two', 'effect', 'four', 'five', 'six'].map((name) => `import ./${name}.ts`)
  assert.deepEqual(specifiers(text), [...names, 'url ./seven.ts', 'url eight.html'])
})

test('readSource ignores import statements in comments, strings, templates and regular expressions', () => {
  const text = [
    "// import './a.ts'",
    "/* from './b.ts'\n import './c.ts' */",
    `const quoted = "import './d.ts'"`,
    "const told = `from './e.ts' ${call(\"import './f.ts'\")} import './g.ts'`",
    "const pattern = /import '.h.ts'/",
  ].join('\n')
  assert.deepEqual(specifiers(text), [])
})

test('readSource treats expressions inside template literals as code, at any depth', () => {
  const { code } = readSource('const a = `x ${first({ b: `y ${second} z` })} fetch(`\nthird()')
  assert.ok(code.includes('first({ b:') && code.includes('second') && code.includes('third()'))
  assert.ok(!code.includes('fetch') && !code.includes('x ') && !code.includes(' z'))
})

test('readSource tells divisions from regular expressions, and a quote in an expression opens no string', () => {
  assert.ok(readSource("const ratio = width / height / it's\nsecond()").code.includes('second()'))
  assert.ok(readSource('const quote = /[\'"/]/.test(text) && fetch(url)').code.includes('fetch(url)'))
})

test('the blanked code has the same length as the text', () => {
  const text = "const a = 'b' // c\n/* d\ne */ const f = `g${h}`\n"
  const { code, comments } = readSource(text)
  assert.equal(code.length, text.length)
  assert.deepEqual(comments, ['// c', '/* d\ne */'])
})

test('readRegexLiterals returns source, flags and line of each expression and skips divisions', () => {
  const text = [
    String.raw`const a = /x\/[/]y/gi`,
    'const b = (one + two) / width / height',
    'const c = [sizes[0]! / 2, sizes[1]! / 2]',
    '// /comment/',
    'if (!/z/.test(a)) b = "/quoted/"',
  ].join('\n')
  assert.deepEqual(readRegexLiterals(text), [
    { source: String.raw`x\/[/]y`, flags: 'gi', line: 1 },
    { source: 'z', flags: '', line: 5 },
  ])
})
