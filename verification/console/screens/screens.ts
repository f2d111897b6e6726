import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { escapeHtml } from '../../../packages/server/src/platform/html/escape-html.ts'
import { startTestNameServer } from '../../../packages/server/test/federation/name-server.ts'
import { closeAtEnd } from '../../prove/harness/resources.ts'
import { findViolations, readAxe } from '../accessibility.ts'
import { collectFaults, describeDisplay, displays, launchBrowser, openContext, type Display } from '../browser.ts'
import { startConsoleServer } from '../console-server.ts'
import { watchPage } from '../quiet.ts'
import { createPersonClient, failingWebhooks, fillOrganization, type SampleData } from '../sample-data.ts'
import { addCredentials, providerOrigin } from '../sample-credentials.ts'
import { replacePassword, signIn, signInToChangePassword, waitForConsole, type Person } from '../sign-in.ts'
import { stateNames, type ScreenRow, type StateName } from './screen-row.ts'
import { prepareState, screens } from './screen-table.ts'

const password = 'correct horse battery staple 7'
/** Time for tiles and pictures to arrive after the last request. */
const settle_ms = 600
const idle_timeout_ms = 60_000
const action_timeout_ms = 90_000
/** A picture says the same on a machine that does much else. */
const picture_timeout_ms = 120_000
/** Most of the time is spent waiting. */
const parallel_displays = 2

interface Task {
  readonly screen: ScreenRow
  readonly state: StateName
  readonly display: Display
}

/** Takes a picture of every screen in each of its states, and lists what axe and the browser have against it. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: join('.data', 'screens') },
      only: { type: 'string', default: '' },
      state: { type: 'string', default: '' },
      theme: { type: 'string', default: '' },
      width: { type: 'string', default: '' },
      // Above the usual height, a picture has the scrolled content, too.
      height: { type: 'string', default: '' },
      short: { type: 'boolean', default: false },
      // Chooses which screens a short run takes in which of its displays.
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2)) },
    },
  })
  await using names = closeAtEnd(await startTestNameServer())
  await using server = await startConsoleServer({
    ...failingWebhooks,
    DNS_SERVERS: names.address,
    OUTSIDE_ALLOW: `${failingWebhooks.OUTSIDE_ALLOW},${providerOrigin}`,
  })
  await using browser = await launchBrowser()
  await rm(values.out, { recursive: true, force: true })
  await mkdir(values.out, { recursive: true })
  const person = { email: server.credentials.username, password }
  await signInFirst(browser, server.url, person, server.credentials.password)
  const client = createPersonClient(server.url, person)
  const data = await fillOrganization(client, server.url)
  await addCredentials(client, server.url, { person, names })
  const wanted = screens.filter(({ name }) => values.only.split(',').some((part) => name.includes(part)))
  const sandboxPerson = { email: data.sandboxOwner.email, password }
  await signInFirst(browser, server.url, sandboxPerson, data.sandboxOwner.password)
  const run = { browser, sandboxPerson, url: server.url, person, data, folder: values.out, axe: await readAxe() }
  const shownStates = stateNames.filter((state) => !values.state || values.state.split(',').includes(state))
  const pictures: ScreenPicture[] = []
  const waiting = chooseDisplays(values)
  const seed = Number(values.seed)
  if (values.short) console.log(`--seed=${seed}`)
  const takeNext = async (): Promise<void> => {
    for (let display = waiting.shift(); display; display = waiting.shift()) {
      const shown = values.short ? chooseHalf(wanted, display, seed) : wanted
      pictures.push(...(await takePictures(run, shown, display, shownStates)))
    }
  }
  await Promise.all(Array.from({ length: parallel_displays }, takeNext))
  await writeFile(join(values.out, 'index.html'), writeIndex(pictures))
  report(pictures, values.out)
}

interface DisplayOptions {
  readonly theme: string
  readonly width: string
  readonly height: string
  /** Each theme and each width once, and each screen in one of the two. */
  readonly short: boolean
}

function chooseDisplays(options: DisplayOptions): Display[] {
  const height = options.height ? { height: Number(options.height) } : {}
  return displays
    .filter(({ theme, width }) => !options.short || (theme === 'dark') === (width === 1280))
    .filter(({ theme }) => !options.theme || theme === options.theme)
    .filter(({ width }) => !options.width || String(width) === options.width)
    .map((display) => ({ ...display, ...height }))
}

/** Every second screen, the others in the other display of a short run: each screen once. */
const chooseHalf = (wanted: readonly ScreenRow[], { theme }: Display, seed: number): ScreenRow[] =>
  wanted.filter((_, at) => at % 2 === (seed + (theme === 'dark' ? 1 : 0)) % 2)

interface Run {
  readonly browser: Browser
  readonly url: string
  readonly person: Person
  readonly sandboxPerson: Person
  readonly data: SampleData
  readonly folder: string
  readonly axe: string
}

async function signInFirst(browser: Browser, url: string, person: Person, oneTimePassword: string): Promise<void> {
  const context = await openContext(browser, displays[0]!)
  const page = await context.newPage()
  page.setDefaultTimeout(action_timeout_ms)
  await page.goto(url)
  await signInToChangePassword(page, { ...person, password: oneTimePassword })
  await replacePassword(page, person.password)
  await waitForConsole(page)
  await context.close()
}

async function takePictures(
  run: Run,
  wanted: readonly ScreenRow[],
  display: Display,
  shownStates: readonly StateName[],
): Promise<ScreenPicture[]> {
  const member = await openSignedIn(run, run.person, display)
  const sandbox = wanted.some(({ isSandbox }) => isSandbox) ? await openSignedIn(run, run.sandboxPerson, display) : null
  const visitor = await openContext(run.browser, display)
  const pictures: ScreenPicture[] = []
  for (const screen of wanted) {
    const states = shownStates.filter((state) => !screen.without?.[state])
    for (const state of states)
      pictures.push(
        await takePicture(run, screen.isPublic ? visitor : screen.isSandbox ? sandbox! : member, {
          screen,
          state,
          display,
        }),
      )
  }
  for (const context of [member, sandbox, visitor]) await context?.close()
  return pictures
}

async function openSignedIn({ browser, url }: Run, person: Person, display: Display): Promise<BrowserContext> {
  const context = await openContext(browser, display)
  const page = await context.newPage()
  page.setDefaultTimeout(action_timeout_ms)
  await page.goto(url)
  await signIn(page, person)
  await waitForConsole(page)
  await page.close()
  return context
}

async function takePicture(
  run: Run,
  context: BrowserContext,
  { screen, state, display }: Task,
): Promise<ScreenPicture> {
  const page = await context.newPage()
  page.setDefaultTimeout(action_timeout_ms)
  const faults = collectFaults(page)
  const watch = watchPage(page, state === 'loading' ? screen.reads : [])
  const waitForQuiet = (): Promise<void> =>
    watch.waitForQuiet({ timeout_ms: idle_timeout_ms, hasPlaceholders: state === 'loading' })
  await prepareState(page, screen, state)
  await screen.prepare?.(page, run.data)
  const path = screen.path(run.data)
  await page.goto(path.startsWith('http') ? path : `${run.url}${path}`)
  await waitForQuiet()
  // Failed reads are tried again before they are shown.
  if (state === 'error' || state === 'forbidden') await waitForAlert(page)
  if (state === 'full' && screen.act) {
    // One screen that does not get as far must not cost the pictures of the others.
    await screen.act(page, run.data).catch((error: unknown) => faults.push(String(error).split('\n')[0]!))
    await waitForQuiet()
  }
  await page.waitForTimeout(settle_ms)
  const file = `${screen.name}-${state}-${display.theme}-${display.width}.png`
  await page.screenshot({ path: join(run.folder, file), timeout: picture_timeout_ms })
  const violations = await findViolations(page, run.axe)
  const overflow = (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean
  await page.close()
  const problems = [...faults, ...violations, ...(overflow ? ['the page is wider than the window'] : [])]
  // A whole run takes long: problems are printed at once, and listed once more at its end.
  for (const problem of problems) console.log(`${file}: ${problem}`)
  return { screen: screen.name, state, display: describeDisplay(display), file, problems }
}

const waitForAlert = (page: Page): Promise<unknown> =>
  page
    .getByRole('alert')
    .first()
    .waitFor({ timeout: idle_timeout_ms })
    .catch(() => undefined)

/** Each problem once, with the pictures that have it. */
function report(pictures: readonly ScreenPicture[], folder: string): void {
  const found = pictures.flatMap(({ file, problems }) => problems.map((problem) => ({ file, problem })))
  for (const [problem, places] of Map.groupBy(found, (one) => one.problem))
    console.log(
      `${problem}\n  in ${places.length}: ${places
        .slice(0, 4)
        .map(({ file }) => file)
        .join(', ')}`,
    )
  console.log(
    `${pictures.length} pictures in ${join(folder, 'index.html')}; ${found.length} faults and accessibility violations`,
  )
  process.exitCode = found.length === 0 ? 0 : 1
}

interface ScreenPicture {
  readonly screen: string
  readonly state: string
  readonly display: string
  readonly file: string
  /** Violations that axe found, and errors of the browser. */
  readonly problems: readonly string[]
}

/** A page with every picture, a row for each screen and state. */
function writeIndex(pictures: readonly ScreenPicture[]): string {
  const rows = Map.groupBy(pictures, ({ screen, state }) => `${screen} · ${state}`)
  const sections = [...rows].map(
    ([title, row]) => `<section><h2>${escapeHtml(title)}</h2><div>${row.map(writeFigure).join('')}</div></section>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>
body{font:14px system-ui;margin:24px;background:#ddd}section div{display:flex;gap:16px;align-items:start;overflow-x:auto}
figure{margin:0}img{height:480px;border:1px solid #888}li{color:#900}</style><h1>${pictures.length} pictures</h1>
${sections.join('\n')}</html>`
}

function writeFigure({ file, display, problems }: ScreenPicture): string {
  const list =
    problems.length === 0 ? '' : `<ul>${problems.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`
  return `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${display}</figcaption>${list}</figure>`
}

await main()
