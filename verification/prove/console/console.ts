import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { startTestNameServer } from '../../../packages/server/test/federation/name-server.ts'
import { startTestProvider } from '../../../packages/server/test/federation/test-provider.ts'
import { startWebhookReceiver } from '../../../packages/server/test/webhooks/webhook-receiver.ts'
import { readAxe } from '../../console/accessibility.ts'
import { launchBrowser, type Display } from '../../console/browser.ts'
import { startConsoleServer, type ConsoleServer } from '../../console/console-server.ts'
import { createOwnArchive } from '../../console/own-archive.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import type { ErrorWay } from './error-way.ts'
import { errorWays } from './error-ways.ts'
import { openStage, type Stage, type Surroundings, type Way } from './stage.ts'
import { ways } from './ways.ts'
import { wholeConsoleWays } from './whole-console-ways.ts'
import { closeAtEnd } from '../harness/resources.ts'

const newPassword = 'correct horse battery staple 7'
const wide = 1280
const widths = [wide, 360]

/** The browser, the server and the results of the ways at one width. */
interface Walk {
  readonly browser: Browser
  readonly server: ConsoleServer
  readonly surroundings: Surroundings
  readonly axe: string
  readonly width: number
  /** Of the failures on purpose, and of where another way ended if it failed. */
  readonly pictures: string
  readonly violations: string[]
}

/**
 * Walks the ways of people through the console in Debian's Chromium, and the failures on purpose, each at both widths; every
 * width begins with a fresh server and its printed password. The short form walks half of them at one width; the seed says which.
 */
export async function proveConsole({ short, seed, only = '', width: onlyWidth }: ProofOptions): Promise<ProofResult> {
  await using browser = await launchBrowser()
  const pictures = await mkdtemp(join(tmpdir(), 'swath-ways-'))
  const axe = await readAxe()
  const violations: string[] = []
  let walked = 0
  const walkedWidths = onlyWidth === undefined ? widths : [onlyWidth]
  for (const width of short ? walkedWidths.slice(0, 1) : walkedWidths) {
    await using archive = await createOwnArchive()
    await using receiver = closeAtEnd(await startWebhookReceiver())
    await using names = closeAtEnd(await startTestNameServer())
    await using identityProvider = closeAtEnd(await startTestProvider())
    const surroundings = { archive, receiver, names, identityProvider }
    await using server = await startConsoleServer({ ...archive.settings, ...settingsFor(surroundings) })
    const walk: Walk = { browser, server, surroundings, axe, width, pictures, violations }
    const steps =
      short && only === ''
        ? chooseHalf(listSteps(walk, only, ways), seed)
        : listSteps(walk, only, [...ways, ...wholeConsoleWays])
    for (const step of steps) {
      await step()
      walked++
    }
  }

  return { tried: `${walked} ways through the console, pictures of the failures in ${pictures}`, violations }
}

/** The first, which replaces the password, and every second of the others. */
const chooseHalf = <Step>([first, ...others]: readonly Step[], seed: number): Step[] => [
  first!,
  ...others.filter((_, at) => at % 2 === seed % 2),
]

/** A webhook that was refused once has failed, until a user sends it again. */
const settingsFor = ({ receiver, names, identityProvider }: Surroundings): Readonly<Record<string, string>> => ({
  OUTSIDE_ALLOW: `${receiver.origin},${identityProvider.issuer}`,
  WEBHOOK_RETRY_S: '0',
  DNS_SERVERS: names.address,
})

function listSteps(walk: Walk, only: string, walkedWays: readonly Way[]): (() => Promise<void>)[] {
  // Several parts of names have a bar between them.
  const isWanted = ({ name }: { readonly name: string }): boolean => only.split('|').some((part) => name.includes(part))
  // The first way replaces the password of the others.
  const walked = walkedWays.filter((way, at) => at === 0 || isWanted(way))
  const failed = errorWays.filter(isWanted)
  return [
    // Not repeatable: it replaces the password.
    ...walked.slice(0, 1).map((way) => () => walkWay(walk, way)),
    ...walked.slice(1).map((way) => () => walkTwice(walk, (attempt) => walkWay(attempt, way))),
    ...failed.map((way, at) => () => walkTwice(walk, (attempt) => walkErrorWay(attempt, way, `error-${at + 1}`))),
  ]
}

/** The themes of the ways and of the failures on purpose: either group is seen in both, each at one width. */
const themesOf = (width: number): Readonly<Record<'ways' | 'failures', Display['theme']>> =>
  width < wide ? { ways: 'dark', failures: 'light' } : { ways: 'light', failures: 'dark' }

const walkWay = (walk: Walk, way: Way): Promise<void> =>
  watch(walk, way.name, themesOf(walk.width).ways, (stage) => way.run(stage))

/** A way is repeated once if it fails: its time limits are those of an idle machine. The repetition is printed. */
async function walkTwice(walk: Walk, walkOnce: (walk: Walk) => Promise<void>): Promise<void> {
  const violations: string[] = []
  await walkOnce({ ...walk, violations })
  if (violations.length === 0) return
  console.log(`repeated after: ${violations.join('; ').replaceAll('\n', ' ')}`)
  await walkOnce(walk)
}

/** The server runs afterwards, however the way ended. */
async function walkErrorWay(walk: Walk, way: ErrorWay, picture: string): Promise<void> {
  const { server, width } = walk
  let isRunning = true
  const startServer = async (): Promise<void> => {
    if (!isRunning) await server.startAgain()
    isRunning = true
  }
  await watch(walk, way.name, themesOf(width).failures, (stage) =>
    way.run({
      ...stage,
      killServer: async () => {
        isRunning = false
        await server.kill()
      },
      startServer,
      takePicture: () => stage.takePicture(picture),
    }),
  )
  await startServer()
}

/** Runs a way on a stage of its own, and notes what went wrong with a picture of it. */
async function watch(
  { browser, server, surroundings, axe, width, pictures, violations }: Walk,
  name: string,
  theme: Display['theme'],
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage = await openStage(browser, server, newPassword, {
    display: { theme, width, scale: 0.5 },
    pictures,
    ...surroundings,
    axe,
  })
  const start = performance.now()
  const failure = await run(stage).catch((error: unknown) => error)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${failure ? 'FAILED' : 'walked'} at ${width} px in ${seconds} s: ${name}`)
  if (failure) {
    const path = join(pictures, `failed-${width}-${name.replaceAll(/\W+/g, '-').slice(0, 40)}.png`)
    await stage.page.screenshot({ path }).catch(() => undefined)
    violations.push(`${name}, at ${width} px: ${String(failure)} (${path})`)
  }
  violations.push(...stage.faults().map((fault) => `${name}, at ${width} px: ${fault}`))
  await stage.close()
}
