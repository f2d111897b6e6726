import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const documentedConfig = new URL('../../../deploy/balancer/haproxy.cfg', import.meta.url)

/** HAProxy checks the processes this often here, instead of every two seconds. */
export const check_interval_ms = 500

/**
 * HAProxy with the configuration of `deploy/balancer/`, before API processes on these ports: with other addresses, without
 * TLS, and with checks at shorter intervals.
 */
export async function startBalancer(port: number, apiPorts: readonly number[]): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-balancer-'))
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, adaptConfig(await readFile(documentedConfig, 'utf8'), port, apiPorts))
  const child = spawn('haproxy', ['-db', '-f', file], {
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
    stdio: 'ignore',
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await waitUntilListening(port, child)
  return {
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function adaptConfig(text: string, port: number, apiPorts: readonly number[]): string {
  let nextServer = 0
  const lines = text.split('\n').flatMap((line) => {
    if (/^ +bind :443 /.test(line)) return [`    bind 127.0.0.1:${port}`]
    if (/^ +(bind :80|http-request redirect|http-request set-header)/.test(line)) return []
    if (/^ +server api-/.test(line)) {
      const apiPort = apiPorts[nextServer++]
      return apiPort === undefined ? [] : [`    server api-${nextServer} 127.0.0.1:${apiPort}`]
    }
    // The limit of open files of a machine for tests may be lower.
    return [line.replace('inter 2s', `inter ${check_interval_ms}ms`).replace('maxconn 20000', 'maxconn 500')]
  })
  if (nextServer < apiPorts.length) throw new Error('the documented configuration has too few servers')
  return lines.join('\n')
}

/** HAProxy answers with 503 while it knows no process that is ready. */
async function waitUntilListening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (child.exitCode !== null) throw new Error(`HAProxy exited with ${child.exitCode}`)
    if (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)) return
    await pause(50)
  }
  throw new Error('HAProxy does not listen')
}
