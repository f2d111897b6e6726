import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { IdentityProvider } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { usePrincipal } from '../../../api/use-principal.ts'
import { signOnTexts } from '../../../texts/sign-on.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { CopiedValue } from '../../../credentials/copied-value.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { providerUrls } from './addresses.ts'
import { ProviderFacts } from './provider-facts.tsx'
import { ProviderForm } from './provider-form.tsx'
import { ProviderTestNote } from './provider-test.tsx'
import { domainsInput } from './reads.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = signOnTexts.provider

/** How members sign in with the provider of the organization. */
export function Provider() {
  const read = useOperation('organizations.provider.get', {})
  return (
    <Section title={words.heading} actions={<CopyCall operation="organizations.provider.get" input={{}} />}>
      <p className={typography['muted']}>{words.help}</p>
      <QueryView query={read} rows={2}>
        {({ provider }) => <ProviderSettings provider={provider} />}
      </QueryView>
    </Section>
  )
}

function ProviderSettings({ provider }: { provider: IdentityProvider | null }) {
  const domains = useOperation('organizations.domains.list', domainsInput).data?.domains
  const [isEditing, setEditing] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const verified = (domains ?? []).filter(({ state }) => state === 'verified').map(({ domain }) => domain)
  const edit = (): void => {
    setEditing(true)
    setSaved(false)
  }
  if (isEditing)
    return (
      <>
        {provider === null && <Register />}
        <ProviderForm
          provider={provider}
          verified={verified}
          onCancel={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            setSaved(true)
          }}
        />
      </>
    )
  if (provider === null)
    return (
      <>
        <p>{words.none}</p>
        {verified.length > 0 ? (
          <div>
            <Button icon={Plus} onClick={edit}>
              {words.setUp}
            </Button>
          </div>
        ) : (
          domains && <p className={typography['muted']}>{words.needsDomain}</p>
        )}
      </>
    )
  return (
    <>
      {isSaved && <p role="status">{words.saved}</p>}
      <ProviderFacts provider={provider} />
      <ProviderActs onChange={edit} />
    </>
  )
}

/** What the provider has to know before it gives a client id. */
function Register() {
  const organization = usePrincipal().data?.organization
  if (!organization) return null
  const { redirect_uri, backchannel_logout_uri } = providerUrls(organization.id)
  return (
    <>
      <p>{words.register}</p>
      <Facts
        facts={[
          [words.redirectUri, <CopiedValue key="redirect" text={redirect_uri} copyLabel={words.copyRedirectUri} />],
          [words.logoutUri, <CopiedValue key="logout" text={backchannel_logout_uri} copyLabel={words.copyLogoutUri} />],
        ]}
      />
    </>
  )
}

function ProviderActs({ onChange }: { onChange: () => void }) {
  const test = useCommand('organizations.provider.test')
  const remove = useCommand('organizations.provider.remove', ['organizations.provider.get'])
  return (
    <>
      <div className={layout['wrap']}>
        <Button isPending={test.isPending} onClick={() => test.mutate({})}>
          {words.test}
        </Button>
        <Button onClick={onChange}>{words.change}</Button>
        <ConfirmButton
          label={words.removeLabel}
          verb={words.remove}
          kind="danger"
          title={words.removeTitle}
          subject={words.heading}
          text={words.removeText}
          cancel={signOnTexts.cancel}
          call={['organizations.provider.remove', {}]}
          command={remove}
        />
      </div>
      <ProviderTestNote test={test} />
    </>
  )
}
