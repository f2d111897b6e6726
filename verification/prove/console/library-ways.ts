import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { texts } from '../../../apps/console/src/texts.ts'
import type { Page } from 'playwright-core'
import { time_limits, type Stage } from './stage.ts'

const { library } = texts
const file_bytes = 18 * 2 ** 20

/**
 * Writes a GeoJSON file that is sent in several parts: spaces between its members make it large. The browser reads it from the
 * disk; its bytes would take seconds on the debugging connection.
 */
async function writeLargeFile(folder: string, title: string): Promise<string> {
  const geometry = { type: 'Point', coordinates: [-3.5, 50.7] }
  const features = [{ type: 'Feature', properties: { title }, geometry }]
  const path = join(folder, `${title}.geojson`)
  await writeFile(path, `{"type":"FeatureCollection",${' '.repeat(file_bytes)}"features":${JSON.stringify(features)}}`)
  return path
}

/** After the first request to send a part there is no connection; returns what brings it back. */
async function breakConnection(page: Page): Promise<() => Promise<void>> {
  let parts = 0
  const pattern = /./
  await page.route(pattern, (route) =>
    route.request().method() === 'PUT' && ++parts > 1 ? route.abort('connectionreset') : route.fallback(),
  )
  return () => page.unroute(pattern)
}

/** Presses a button as a person does who has no mouse. */
async function pressKey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

/** A way of a user who maintains the library. */
export const keeper = {
  name: 'a file arrives after a broken connection, another window sees it, and a deleted item is restored by keyboard',
  run: async (stage: Stage): Promise<void> => {
    const { page, url } = stage
    await stage.signIn()
    const title = `fields-${page.viewportSize()?.width}`
    const other = await stage.openSecondPage()
    await other.goto(`${url}/library`)
    await page.goto(`${url}/library/uploads`)
    const folder = await mkdtemp(join(tmpdir(), 'swath-large-file-'))
    const file = await writeLargeFile(folder, title)
    const reconnect = await breakConnection(page)
    await page.locator('input[type=file]:enabled').setInputFiles(file)
    await page.getByText(/^No connection: /).waitFor()
    await reconnect()
    await other.getByRole('list', { name: library.items }).getByText(title).waitFor({ timeout: time_limits.work_ms })
    await rm(folder, { recursive: true })
    await page.getByRole('link', { name: library.upload_.openItem, exact: true }).first().click()
    await page.waitForURL(/\/library\/items\//)
    await pressKey(page, library.item.remove)
    await page.getByText(library.item.removed).waitFor()
    await other.getByText(title).waitFor({ state: 'detached' })
    await pressKey(page, library.item.undo)
    await other.getByText(title).waitFor()
  },
}
