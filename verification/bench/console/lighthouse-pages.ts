import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../packages/server/test/free-port.mjs'
import { launchProfile } from '../../console/browser.ts'
import type { Figure } from '../figure.ts'
import { median } from '../median.ts'
import { runLighthouse, type LighthouseScores } from './lighthouse.ts'

/** The performance of one run differs from the next by some points; Lighthouse advises the median of several. */
const runs = 5

/**
 * Lighthouse on two pages of the console and on the sign-in page.
 *
 * @param port of the debugging protocol of a browser that is signed in.
 */
export async function measureLighthouse(url: string, port: number): Promise<Figure[]> {
  return [
    ...(await measurePage('Explore', `${url}/explore`, port)),
    ...(await measurePage('Orders', `${url}/orders`, port)),
    ...(await measureSignIn(url)),
  ]
}

/** A browser without a session is sent to the sign-in page, whose address has the request of the console. */
async function measureSignIn(url: string): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-profile-'))
  const port = await freePort()
  const context = await launchProfile(folder, port)
  try {
    const page = await context.newPage()
    await page.goto(url)
    await page.getByLabel(/^password/i).waitFor()
    const address = page.url()
    await page.close()
    return await measurePage('sign-in', address, port)
  } finally {
    await context.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measurePage(name: string, url: string, port: number): Promise<Figure[]> {
  const scores: LighthouseScores[] = []
  for (let run = 0; run < runs; run++) scores.push(await runLighthouse(url, port))
  const performance = median(scores.map((run) => run.performance))
  const { accessibility, bestPractices, failed } = scores.find((run) => run.performance === performance)!
  if (failed.length > 0) console.log(`Lighthouse, ${name}, audits below 0.9: ${failed.join(', ')}`)
  return [
    { name: `Lighthouse performance, ${name}`, value: performance, must: 90 },
    { name: `Lighthouse accessibility, ${name}`, value: accessibility, must: 100 },
    { name: `Lighthouse best practices, ${name}`, value: bestPractices, must: 95 },
  ]
}
