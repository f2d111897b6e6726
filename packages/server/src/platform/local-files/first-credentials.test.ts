import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  getCredentialsFilePath,
  formatCredentialsFileName,
  updateFirstCredentialsUrl,
  saveFirstCredentials,
  saveFirstPassword,
} from './first-credentials.ts'

let root: string
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'swath-credentials-'))
})
after(() => rm(root, { recursive: true }))

const username = 'root@example.org'
const read = async (folder: string): Promise<unknown> =>
  JSON.parse(await readFile(getCredentialsFilePath(folder), 'utf8'))

test('a page names the file without the absolute path of its folder', () => {
  assert.equal(formatCredentialsFileName('.data'), join('.data', 'first-credentials.json'))
  assert.equal(formatCredentialsFileName(root), 'first-credentials.json')
})

test('the first password is stored in a private file, and an interrupted start uses the same one again', async () => {
  const folder = join(root, 'one')
  const password = await saveFirstPassword(folder, username, 'http://a')
  assert.ok(password.length >= 20)
  assert.deepEqual(await read(folder), { address: 'http://a', username, password })
  if (process.platform !== 'win32') {
    assert.equal((await stat(getCredentialsFilePath(folder))).mode & 0o777, 0o600)
    assert.equal((await stat(folder)).mode & 0o777, 0o700)
  }
  assert.equal(await saveFirstPassword(folder, username, 'http://b'), password)
  await saveFirstCredentials(folder, { address: 'http://b', username, password })
  assert.deepEqual(await read(folder), { address: 'http://b', username, password })
  await updateFirstCredentialsUrl(folder, 'http://c')
  assert.deepEqual(await read(folder), { address: 'http://c', username, password })
  assert.deepEqual(await readdir(folder), ['first-credentials.json'])
})

test('concurrent starts agree on one password', async () => {
  const folder = join(root, 'two')
  const passwords = await Promise.all(Array.from({ length: 8 }, () => saveFirstPassword(folder, username, '')))
  assert.equal(new Set(passwords).size, 1)
})

test('credentials of another user, or a damaged file, are replaced', async () => {
  const folder = join(root, 'three')
  const password = await saveFirstPassword(folder, 'somebody@example.org', '')
  assert.notEqual(await saveFirstPassword(folder, username, ''), password)
  await writeFile(getCredentialsFilePath(folder), '{"user')
  const again = await saveFirstPassword(folder, username, '')
  assert.equal(((await read(folder)) as { password: string }).password, again)
})
