import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { ChildReport } from './fuzz-raster-child.ts'
import { findFields } from './fuzz-raster-fields.ts'
import { damagedInput, readCases } from './fuzz-raster-input.ts'
import { superviseRange } from './fuzz-raster.ts'
import { tryInput } from './fuzz-raster-try.ts'

const cases = readCases()

test('one damaged input of every format case is read or ends in a named failure', async () => {
  let opened = 0
  for (let number = 0; number < cases.length; number++) {
    const { name, damage, bytes } = damagedInput(cases, 20_260_303, number)
    const outcome = await tryInput(bytes)
    assert.equal(outcome.violation, null, `${name}, ${damage}`)
    if (outcome.opened) opened++
  }
  assert.ok(opened > cases.length / 2, `${opened} of ${cases.length} opened`)
})

test('every undamaged case is read without failures, except the unsupported ones', async () => {
  for (const { name, bytes } of cases) {
    const { opened, failures, violation } = await tryInput(Uint8Array.from(bytes))
    assert.equal(violation, null)
    if (!name.startsWith('refused/')) assert.ok(opened && failures <= 1, `${name}: ${failures} failures`)
  }
})

test('the same seed and number create the same input', () => {
  for (const number of [0, 77, 5000]) {
    const [one, two] = [damagedInput(cases, 5, number), damagedInput(cases, 5, number)]
    assert.deepEqual(one, two)
    assert.notDeepEqual(damagedInput(cases, 6, number).bytes, one.bytes)
  }
})

test('findFields returns the directory fields of every TIFF', () => {
  for (const { name, bytes, layout } of cases) {
    const isTiff = name.endsWith('.tif')
    assert.equal(layout !== null, isTiff, name)
    if (!isTiff) continue
    const tags = findFields(bytes)!.fields.map(({ tag }) => tag)
    for (const tag of [256, 257, 258, 259]) assert.ok(tags.includes(tag), `${name} has no field ${tag}`)
  }
})

test('a child that hangs or crashes is a violation of its input, and the remaining inputs are run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-fuzz-'))
  try {
    const program = join(folder, 'child.mjs')
    await writeFile(
      program,
      `const [, first, last] = process.argv.slice(2).map(Number)
       for (let number = first; number < last; number++) {
         if (number === 2) for (;;);
         if (number === 4) process.abort()
         if (number === 5) throw new Error('of its own')
         await new Promise((resolve) => process.send({ number, name: 'a', damage: 'b', opened: true, violation: null }, resolve))
       }
       process.disconnect()`,
    )
    const reports: ChildReport[] = []
    const report = (one: ChildReport): void => void reports.push(one)
    await superviseRange({ first: 0, last: 8 }, { program: pathToFileURL(program), seed: 1, limit_ms: 300, report })
    assert.deepEqual(
      reports.map(({ number }) => number),
      [0, 1, 2, 3, 4, 5, 6, 7],
    )
    const violations = reports.filter(({ violation }) => violation !== null)
    assert.deepEqual(
      violations.map(({ number }) => number),
      [2, 4, 5],
    )
    assert.match(violations[0]!.violation!, /more than 0.3 s/)
    assert.match(violations[1]!.violation!, /SIGABRT/)
    assert.match(violations[2]!.violation!, /of its own/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
