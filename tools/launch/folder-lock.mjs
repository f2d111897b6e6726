// Runs on Node 20: plain JavaScript and Node's built-in modules only.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const wait_ms = 300

/**
 * Waits for a lock of a folder, such as that of its installation: two at once break each other. The lock holds a process id;
 * the lock of a dead process is taken over.
 *
 * @param {string} root
 * @param {string} purpose
 * @returns {() => void} releases the lock
 */
export function acquireFolderLock(root, purpose) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `swath-${purpose}-${name}`)
  while (!tryCreate(lock)) {
    if (isAlive(join(lock, 'pid'))) sleep(wait_ms)
    else rmSync(lock, { recursive: true, force: true })
  }
  writeFileSync(join(lock, 'pid'), String(process.pid))
  return () => rmSync(lock, { recursive: true, force: true })
}

/** @param {string} folder */
function tryCreate(folder) {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

/** @param {number} duration_ms */
const sleep = (duration_ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, duration_ms)

/** @param {string} file */
function isAlive(file) {
  // The holder may not have written its process id yet.
  if (!existsSync(file)) sleep(wait_ms)
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
