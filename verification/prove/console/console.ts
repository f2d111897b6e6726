import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../../console/browser.ts'
import { startConsoleServer } from '../../console/console-server.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { openStage } from './stage.ts'
import { ways } from './ways.ts'

const newPassword = 'correct horse battery staple 7'
const widths = [1280, 360]

/**
 * Walks the ways of people through the console in Debian's Chromium, each at both widths; every width begins with a fresh
 * server and its printed password. A picture of where a way ended is kept if it failed.
 */
export async function proveConsole({ short, only = '' }: ProofOptions): Promise<ProofResult> {
  const browser = await launchBrowser()
  const pictures = await mkdtemp(join(tmpdir(), 'swath-ways-'))
  const violations: string[] = []
  let walked = 0
  try {
    for (const width of short ? widths.slice(0, 1) : widths) {
      const server = await startConsoleServer()
      try {
        for (const [index, way] of ways.entries()) {
          // The first way replaces the password of the others.
          if (index > 0 && !way.name.includes(only)) continue
          const stage = await openStage(browser, server, newPassword, {
            display: { theme: 'light', width },
            pictures,
          })
          const start = performance.now()
          const failure = await way.run(stage).catch((error: unknown) => error)
          const seconds = ((performance.now() - start) / 1000).toFixed(1)
          console.log(`${failure ? 'FAILED' : 'walked'} at ${width} px in ${seconds} s: ${way.name}`)
          if (failure) {
            const path = join(pictures, `${width}-${index}.png`)
            await stage.page.screenshot({ path }).catch(() => undefined)
            violations.push(`${way.name}, at ${width} px: ${String(failure)} (${path})`)
          }
          violations.push(...stage.faults().map((fault) => `${way.name}, at ${width} px: ${fault}`))
          await stage.close()
          walked++
        }
      } finally {
        await server.stop()
      }
    }
  } finally {
    await browser.close()
  }
  return { tried: `${walked} ways through the console`, violations }
}
