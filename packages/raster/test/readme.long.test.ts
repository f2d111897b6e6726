import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('../', import.meta.url))
const input = fileURLToPath(new URL('../../../fixtures/rasters/scenes/naip-nd.tif', import.meta.url))
const page = await readFile(join(folder, 'README.md'), 'utf8')
const examples = [...page.matchAll(/^## (.+)\n[^]*?^```ts\n([^]*?)^```/gm)].map(([, title, code]) => ({
  title: title!,
  code: code!,
}))

/** Runs a program as copied from the README; returns its output. */
async function run(code: string, output: string): Promise<string> {
  const given = `const [input, output]: string[] = ${JSON.stringify([input, output])}\n`
  const words = ['--input-type=module-typescript', '--eval', given + code]
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder })
  return stdout
}

test('the page shows opening, a tile, statistics and writing, each in about twenty lines', () => {
  assert.deepEqual(
    examples.map(({ title }) => title),
    ['Open', 'A tile', 'Statistics', 'Write'],
  )
  for (const { title, code } of examples) assert.ok(code.trimEnd().split('\n').length <= 22, title)
})

const says: Readonly<Record<string, RegExp>> = {
  Open: /\d+ × \d+ pixels of uint8[^]*value at pixel \(110, 105\): \d+ valid/,
  'A tile': /^[1-9]\d{3,} bytes of PNG/,
  Statistics: /band 3 \d+\.\d+ \d+\.\d+[^]*in the triangle: \d+\.\d+ from \d+[^]*in its middle: \[/,
  Write: /^\d+ bytes [0-9a-f]{64} \[/,
}

for (const { title, code } of examples) {
  test(`the program under "${title}" runs`, async () => {
    const place = await mkdtemp(join(tmpdir(), 'swath-readme-'))
    try {
      const output = join(place, 'output')
      assert.match(await run(code, output), says[title]!)
      if (code.includes('output')) assert.ok((await stat(output)).size > 1000)
    } finally {
      await rm(place, { recursive: true })
    }
  })
}
