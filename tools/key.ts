import { rm } from 'node:fs/promises'
import { isSharedServer, readConfig } from '../packages/server/src/platform/config.ts'
import { findAdminSocketPath, sendAdminRequest } from '../packages/server/src/platform/queue/admin-socket.ts'
import { getTerminalApiKeyFilePath } from '../packages/server/src/platform/local-files/terminal-key-file.ts'
import { runCommand } from './command.ts'

/**
 * Replaces the API key of the terminal: the running server makes a new one and revokes the former one. A server that is
 * not running, or cannot be reached, makes one at its next start, because the file is deleted.
 */
async function main(): Promise<number> {
  const config = readConfig()
  const path = getTerminalApiKeyFilePath(config.data_dir)
  const socketPath = findAdminSocketPath(config.data_dir)
  if (isSharedServer(config)) {
    console.error('Only a local server with the embedded database has a key of the terminal; make one in the console.')
    return 1
  }
  const response = socketPath === null ? null : await sendAdminRequest(socketPath, { ask: 'terminal-key' })
  if (response && 'fault' in response) {
    console.error(response.fault)
    return 1
  }
  if (response && 'terminal_key' in response && response.terminal_key !== null) {
    console.log(`${response.terminal_key} has a new API key; the former one is revoked.`)
    return 0
  }
  await rm(path, { force: true })
  console.log(`${path} is deleted. The next start of the server (npm start) makes a new key.`)
  return 0
}

await runCommand(main)
