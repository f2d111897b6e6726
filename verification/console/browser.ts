import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

/** Debian's package of Chromium without windows; the ways take a fifth less processor time in it than in the whole one. */
const shellName = 'chromium-headless-shell'

/** Debian's Chromium; another one can be named by `CHROMIUM`. */
function findBrowser(name: string): string {
  const path = process.env['CHROMIUM'] ?? `/usr/bin/${name}`
  if (!existsSync(path)) throw new Error(`${path} is missing: apt-get install ${name}`)
  return path
}

/** WebGL without a graphics card. */
const flags = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findBrowser(shellName), args: flags })

/** A browser with a profile in a folder, whose debugging protocol other programs can use as well. */
export async function launchProfile(folder: string, port: number): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: findBrowser('chromium'),
    args: [...flags, `--remote-debugging-port=${port}`],
    viewport: { width: 1280, height: 800 },
  })
}

export type ColourScheme = 'dark' | 'light'

export interface Display {
  readonly theme: ColourScheme
  /** CSS pixels. */
  readonly width: number
  /** CSS pixels; default that of a usual window of this width. */
  readonly height?: number
  /** Device pixels per CSS pixel, 1 by default. Fewer change no layout, and cost less where a processor draws. */
  readonly scale?: number
}

export const describeDisplay = ({ theme, width }: Display): string => `${theme} ${width}`

export const displays: readonly Display[] = (['dark', 'light'] as const).flatMap((theme) =>
  [1280, 360].map((width) => ({ theme, width })),
)

const heights: Readonly<Record<number, number>> = { 1280: 800, 360: 740 }

export const openContext = (browser: Browser, { theme, width, height, scale = 1 }: Display): Promise<BrowserContext> =>
  browser.newContext({
    viewport: { width, height: height ?? heights[width] ?? 800 },
    deviceScaleFactor: scale,
    colorScheme: theme,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    acceptDownloads: true,
  })

/**
 * Collects the faults of a page: exceptions, logged errors, violations of its Content-Security-Policy. Returns the list
 * that it fills.
 */
export function collectFaults(page: Page): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.text())) faults.push(`logged: ${message.text()}`)
  })
  return faults
}

/**
 * The browser itself logs each answer that is not 2xx, and each request that a test has cut off; React logs the error of a screen
 * whose files are missing while the server is away.
 */
const isExpected = (text: string): boolean =>
  /Failed to load resource|net::ERR_|Unable to preload CSS|files of this screen could not be loaded/.test(text)
