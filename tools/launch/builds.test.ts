import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { consoleBuild, documentsBuild, isBuilt } from './builds.mjs'
import { makeFolder } from './make-folder.ts'
import { root } from './node.mjs'

const build = { name: 'test', folder: 'made', sources: ['sources', 'one.txt'], program: '', without: '' }

function createRoot(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'swath-builds-'))
  context.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'sources/inner'), { recursive: true })
  writeFileSync(join(folder, 'sources/inner/a.ts'), 'a')
  writeFileSync(join(folder, 'one.txt'), 'one')
  return folder
}

const write = (folder: string, text: string): void => writeFileSync(join(folder, 'text'), text)

test('a folder is built until one of its sources is changed, added or removed', async (context) => {
  const folder = createRoot(context)
  assert.equal(isBuilt(folder, build), false)
  const changes = [
    () => writeFileSync(join(folder, 'sources/inner/a.ts'), 'b'),
    () => writeFileSync(join(folder, 'sources/new.ts'), ''),
    () => rmSync(join(folder, 'one.txt')),
  ]
  for (const change of changes) {
    await makeFolder(folder, build, (made) => Promise.resolve(write(made, 'x')))
    assert.equal(isBuilt(folder, build), true)
    change()
    assert.equal(isBuilt(folder, build), false)
  }
})

test('a folder is replaced as a whole, and stays as it was if it cannot be made', async (context) => {
  const folder = createRoot(context)
  await makeFolder(folder, build, (made) => Promise.resolve(writeFileSync(join(made, 'old'), 'old')))
  await makeFolder(folder, build, (made) => Promise.resolve(write(made, 'new')))
  assert.deepEqual(readdirSync(join(folder, 'made')), ['fingerprint', 'text'])
  const failure = makeFolder(folder, build, (made) => {
    write(made, 'half')
    throw new Error('no more')
  })
  await assert.rejects(failure, /no more/)
  assert.equal(readFileSync(join(folder, 'made/text'), 'utf8'), 'new')
})

test('the sources of both builds exist, and no build is tracked or sent to the build of the image', () => {
  for (const { folder, program, sources } of [consoleBuild, documentsBuild]) {
    for (const path of [program, ...sources]) assert.ok(existsSync(join(root, path)), path)
    for (const name of ['.gitignore', '.dockerignore'])
      assert.ok(readFileSync(join(root, name), 'utf8').split('\n').includes(`${folder}*`), `${name}: ${folder}`)
    const copies = readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('COPY --from=console ') && line.endsWith(`/${folder} ./${folder}`))
    assert.equal(copies.length, 1, folder)
  }
})
