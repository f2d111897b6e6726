import assert from 'node:assert/strict'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createBufferedLogOutput } from './log-output.ts'

test('every line is written completely and in order, including long lines and non-ASCII text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-log-'))
  const path = join(folder, 'log')
  const descriptor = openSync(path, 'a')
  const output = createBufferedLogOutput(descriptor)
  const lines = Array.from(
    { length: 5000 },
    (_, index) => `{"line":${index},"text":"${'Größe ☃ '.repeat(index % 40)}"}\n`,
  )
  lines.splice(100, 0, `{"long":"${'x'.repeat(100_000)}"}\n`)
  for (const [index, line] of lines.entries()) {
    output.write(line)
    if (index % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 3))
  }
  await new Promise((resolve) => setTimeout(resolve, 400))
  assert.equal(await readFile(path, 'utf8'), lines.join(''))

  output.write('last\n')
  output.flushSync()
  assert.equal(await readFile(path, 'utf8'), `${lines.join('')}last\n`)
  closeSync(descriptor)
  await rm(folder, { recursive: true })
})
