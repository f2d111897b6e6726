import { newId } from '../../src/platform/ids.ts'
import { createTestOrganization, type TestOrganization } from '../test-organizations.ts'
import type { TestApp } from '../test-app.ts'
import type { TestNameServer } from './name-server.ts'
import type { TestProvider } from './test-provider.ts'

interface Domain {
  readonly domain: string
  readonly state: string
  readonly record_name: string
  readonly record_value: string
  readonly problem: string | null
}

/** Adds a domain of an organization, and proves it. */
export async function proveDomain(
  { owner }: { readonly owner: Pick<TestOrganization['owner'], 'client'> },
  names: TestNameServer,
  domain = `${newId()}.example.net`,
): Promise<string> {
  const added = (await owner.client.call<{ domain: Domain }>('organizations.domains.add', { domain })).domain
  names.records.set(added.record_name, ['another record', added.record_value])
  const { state } = (await owner.client.call<{ domain: Domain }>('organizations.domains.verify', { domain })).domain
  if (state !== 'verified') throw new Error(`the domain is ${state}`)
  return added.domain
}

/** An organization whose members sign in with a provider. */
export interface FederatedOrganization extends TestOrganization {
  readonly domain: string
  /** Changes settings of the provider. */
  setProvider(changes: object): Promise<void>
}

/** Creates an organization with a domain and a provider. */
export async function createFederatedOrganization(
  app: TestApp,
  { names, provider }: { readonly names: TestNameServer; readonly provider: TestProvider },
  settings: object = {},
): Promise<FederatedOrganization> {
  const organization = await createTestOrganization(app, 0)
  const domain = await proveDomain(organization, names)
  const { issuer, client_id, client_secret } = provider
  const setProvider = async (changes: object): Promise<void> => {
    const terms = { issuer, client_id, client_secret, domains: [domain], ...settings, ...changes }
    await organization.owner.client.call('organizations.provider.set', terms)
  }
  await setProvider({})
  return { ...organization, domain, setProvider }
}
