import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPatterns, readSource } from './source-text.ts'

const specifiers = (text: string): string[] => readSource(text).imports.map((line) => `${line.kind} ${line.specifier}`)

test('imports of every form are found, with types and across lines', () => {
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

test('words in comments, strings, templates and patterns import nothing', () => {
  const text = [
    "// import './a.ts'",
    "/* from './b.ts'\n import './c.ts' */",
    `const quoted = "import './d.ts'"`,
    "const told = `from './e.ts' ${call(\"import './f.ts'\")} import './g.ts'`",
    "const pattern = /import '.h.ts'/",
  ].join('\n')
  assert.deepEqual(specifiers(text), [])
})

test('code inside the holes of a template is code, at any depth', () => {
  const { code } = readSource('const a = `x ${first({ b: `y ${second} z` })} fetch(`\nthird()')
  assert.ok(code.includes('first({ b:') && code.includes('second') && code.includes('third()'))
  assert.ok(!code.includes('fetch') && !code.includes('x ') && !code.includes(' z'))
})

test('a division is no pattern, and a pattern with a quote opens no string', () => {
  assert.ok(readSource("const ratio = width / height / it's\nsecond()").code.includes('second()'))
  assert.ok(readSource('const quote = /[\'"/]/.test(text) && fetch(url)').code.includes('fetch(url)'))
})

test('the code is as long as the text, so that places agree', () => {
  const text = "const a = 'b' // c\n/* d\ne */ const f = `g${h}`\n"
  const { code, comments } = readSource(text)
  assert.equal(code.length, text.length)
  assert.deepEqual(comments, ['// c', '/* d\ne */'])
})

test('patterns are found with their flags and lines, and divisions are none', () => {
  const text = [
    String.raw`const a = /x\/[/]y/gi`,
    'const b = (one + two) / width / height',
    'const c = [sizes[0]! / 2, sizes[1]! / 2]',
    '// /comment/',
    'if (!/z/.test(a)) b = "/quoted/"',
  ].join('\n')
  assert.deepEqual(readPatterns(text), [
    { source: String.raw`x\/[/]y`, flags: 'gi', line: 1 },
    { source: 'z', flags: '', line: 5 },
  ])
})
