import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { shownAbove, type ScreenRow } from './screen-row.ts'

const { build, credentials, signOn } = texts

/** Opens a form of a credential whose scopes are chosen one by one. */
const openForm =
  (label: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: label, exact: true }).click()
    await page.getByLabel(build.scopes, { exact: true }).selectOption('chosen')
    await page.getByLabel(/^see projects/).check()
  }

async function openProvider(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: signOn.provider.heading })
    .getByRole('button', { name: signOn.provider.change })
    .click()
  await page.getByLabel(signOn.provider.mode, { exact: true }).selectOption('required')
  await page.getByRole('button', { name: signOn.provider.addMapping }).click()
}

const form = (name: string, path: string, act: NonNullable<ScreenRow['act']>): ScreenRow => ({
  name,
  path: () => path,
  reads: [],
  without: shownAbove,
  act,
})

/** Keys, tokens, clients and programs, and how members sign in. */
export const credentialScreens: readonly ScreenRow[] = [
  { name: 'keys', path: () => '/build', reads: ['api_keys.list'] },
  form('keys-new', '/build', openForm(build.newKey)),
  { name: 'access-tokens', path: () => '/build/tokens', reads: ['users.tokens.list'] },
  form('access-tokens-new', '/build/tokens', openForm(credentials.tokens.new)),
  { name: 'oauth-clients', path: () => '/build/clients', reads: ['oauth_clients.list'] },
  form('oauth-clients-new', '/build/clients', openForm(credentials.clients.new)),
  { name: 'allowed-programs', path: () => '/build/programs', reads: ['users.consents.list'] },
  {
    name: 'team-security',
    path: () => '/team/security',
    reads: [
      'organizations.security.get',
      'organizations.domains.list',
      'organizations.provider.get',
      'organizations.scim_tokens.list',
      'organizations.support_access.list',
    ],
  },
  form('team-security-provider', '/team/security', openProvider),
]
