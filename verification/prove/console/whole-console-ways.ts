import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { readConsoleRoutes } from '../../../tools/printers/console-paths.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { watchPage } from '../../console/quiet.ts'
import { createWay, type Stage, type Way } from './stage.ts'

const { frame, palette, ui } = texts
const router = new URL('../../../apps/console/src/app/router.tsx', import.meta.url)
const quiet_ms = 20_000

/** The texts that stand in place of a failed part. */
const failures = [frame.failed, frame.notLoaded, frame.notFound, frame.noMap, ui.overlayFailed, ui.overlayFailedHelp]

/** Every fault that the page has thrown or logged fails the way by itself; an error boundary may have caught one. */
async function assertWhole(page: Page, where: string): Promise<void> {
  for (const failure of failures)
    assert.equal(await page.getByText(failure, { exact: true }).count(), 0, `${where}: ${failure}`)
  assert.ok((await page.locator('nav a[aria-current], nav a').count()) > 0, `${where}: the rail is gone`)
}

/** The ids that stand for the parameters of routes; a route without one is not opened. */
async function findIds({ url, person }: Stage): Promise<Readonly<Record<string, string | undefined>>> {
  const client = createPersonClient(url, person)
  const { content: orders } = await client.call('orders.list', { size: 1 })
  const { features: items } = await client.call('stac.search', { limit: 1 })
  const { projects } = await client.call('projects.list', {})
  const { processes } = await client.call('processing.catalog.list', {})
  const project_id = projects[0]!.id
  const { collections } = await client.call('collections.list', { project_id })
  return {
    $orderId: orders[0]?.id,
    $itemId: items[0]?.id,
    $projectId: project_id,
    $collectionId: collections[0]?.id,
    $processId: processes[0]?.id,
    $methodName: 'ndvi',
  }
}

/** The URLs of all screens, with ids for the known parameters. */
function fillRoutes(ids: Readonly<Record<string, string | undefined>>): string[] {
  const routes = readConsoleRoutes(readFileSync(router, 'utf8'))
  return routes.flatMap((route) => {
    const members = route.split('/').map((member) => (member.startsWith('$') ? ids[member] : member))
    return members.includes(undefined) ? [] : [members.join('/')]
  })
}

/** Opens each dialog that a screen offers, and leaves it as a person does who does not want it. */
async function tryDialogs(page: Page, where: string): Promise<number> {
  const openers = page.locator('#panel button[aria-haspopup=dialog]:not([aria-disabled=true]):not(:disabled):visible')
  const count = await openers.count()
  for (let at = 0; at < count; at++) {
    await openers.nth(at).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await assertWhole(page, `${where}, dialog ${at + 1}`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  }
  return count
}

const everyRoute = createWay(
  'every screen opens by its address, and every dialog of it; the server knows the addresses',
  async (stage) => {
    const { page, url } = stage
    await stage.signIn()
    const watch = watchPage(page)
    let dialogs = 0
    for (const path of fillRoutes(await findIds(stage))) {
      const response = await page.goto(`${url}${path}`)
      assert.equal(response?.status(), 200, path)
      await page.locator('#panel h1').first().waitFor()
      await watch.waitForQuiet({ timeout_ms: quiet_ms })
      await assertWhole(page, path)
      dialogs += await tryDialogs(page, path)
    }
    assert.ok(dialogs > 0, 'some screen has a dialog')
  },
)

const openPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: palette.title }).waitFor()
}

/** The labels of the commands that lead somewhere. */
const listCommands = (page: Page): Promise<string[]> =>
  page.getByRole('group', { name: palette.groups.go }).locator('[role=option] > span').allTextContents()

const everyCommand = createWay(
  'every command of the palette works from the keyboard, and what is half written stays',
  async (stage) => {
    const { page, url } = stage
    await stage.signIn()
    await page.goto(`${url}/build/webhooks`)
    await page.getByRole('button', { name: texts.webhooks.new }).click()
    const address = page.getByLabel(texts.webhooks.url, { exact: true })
    await address.fill('https://half.example/wri')
    await openPalette(page)
    const commands = await listCommands(page)
    assert.ok(commands.length > 30, `${commands.length} commands`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await address.inputValue(), 'https://half.example/wri')
    await page.getByRole('button', { name: frame.commands }).click()
    await page.getByRole('dialog', { name: palette.title }).waitFor()
    await page.keyboard.press('Meta+k')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const command of commands) await runCommand(page, command)
  },
)

/** Types a command and runs it; one that leaves the console is come back from. */
async function runCommand(page: Page, command: string): Promise<void> {
  await openPalette(page)
  await page.keyboard.insertText(command)
  const option = page
    .getByRole('option')
    .filter({ has: page.getByText(command, { exact: true }) })
    .first()
  await option.click()
  if (command === palette.places.docs) {
    await page.waitForURL(/\/docs/)
    await page.goBack()
  }
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator('#panel h1').first().waitFor()
  await assertWhole(page, command)
}

const everyPlace = createWay('every entry of the rail opens its place, and the menu of the account', async (stage) => {
  const { page } = stage
  await stage.signIn()
  const links = page.locator(`nav[aria-label="${frame.product}"] a`)
  const count = await links.count()
  assert.ok(count >= 11, `${count} entries`)
  for (let at = 0; at < count; at++) {
    await links.nth(at).click()
    await page.locator('#panel h1').first().waitFor()
    await assertWhole(page, (await links.nth(at).textContent()) ?? '')
  }
  await page.getByRole('button', { name: texts.account.account }).click()
  await page.getByRole('menuitem', { name: texts.account.signOut }).waitFor()
  await assertWhole(page, texts.account.account)
  await page.keyboard.press('Escape')
})

export const wholeConsoleWays: readonly Way[] = [everyRoute, everyCommand, everyPlace]
