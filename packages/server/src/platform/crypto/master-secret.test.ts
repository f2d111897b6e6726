import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { MasterSecretError, loadMasterSecret, loadMasterSecrets } from './master-secret.ts'

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-secret-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the secret is created once and is readable only by its owner', () =>
  withFolder(async (folder) => {
    const dataDir = join(folder, 'new')
    const first = await loadMasterSecret(dataDir)
    assert.equal(first.length, 32)
    assert.deepEqual(await loadMasterSecret(dataDir), first)
    assert.equal((await stat(join(dataDir, 'master-secret'))).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(dataDir), ['master-secret'])
  }))

test('concurrent first starts agree on one secret', () =>
  withFolder(async (folder) => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadMasterSecret(folder)))
    assert.equal(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size, 1)
    assert.deepEqual(await readdir(folder), ['master-secret'])
  }))

test('a secret file that is damaged or readable by others is rejected', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'master-secret')
    await loadMasterSecret(folder)
    await chmod(path, 0o644)
    await assert.rejects(loadMasterSecret(folder), MasterSecretError)
    await rm(path)
    await writeFile(path, 'short\n', { mode: 0o600 })
    await assert.rejects(loadMasterSecret(folder), MasterSecretError)
  }))

test('the replaced secret is the setting, or the file beside the current one', () =>
  withFolder(async (data_dir) => {
    const settings = { data_dir, secret: null, secret_previous: null }
    const [first] = await loadMasterSecrets(settings)
    assert.deepEqual(await loadMasterSecrets(settings), [first])
    await rename(join(data_dir, 'master-secret'), join(data_dir, 'master-secret-previous'))
    const [second, ...replaced] = await loadMasterSecrets(settings)
    assert.notDeepEqual(second, first)
    assert.deepEqual(replaced, [first])
    const previous = 'another secret of more than thirty-two characters'
    const configured = await loadMasterSecrets({ ...settings, secret_previous: previous })
    assert.deepEqual(configured, [second, new Uint8Array(Buffer.from(previous))])
  }))

test('a configured secret takes precedence over the file and writes none', () =>
  withFolder(async (folder) => {
    const configured = 'a secret of more than thirty-two characters'
    assert.equal(Buffer.from(await loadMasterSecret(folder, configured)).toString(), configured)
    assert.deepEqual(await readdir(folder), [])
  }))
