import type { IdentityProvider, ProviderMapping } from '@swath/client/operations.ts'
import { useMemberNames } from '../../../api/use-member-names.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { signOnTexts } from '../../../texts/sign-on.ts'
import { teamTexts } from '../../../texts/team.ts'
import { CopiedValue } from '../../../credentials/copied-value.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Time } from '../../../ui/figures.tsx'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = signOnTexts.provider

/** The settings of a provider, and what it has to be configured with. */
export function ProviderFacts({ provider }: { provider: IdentityProvider }) {
  const nameOf = useMemberNames()
  const { issuer, client_id, domains, mode, emergency_access, roles_claim, mappings, default_role } = provider
  const { just_in_time, redirect_uri, backchannel_logout_uri, updated_at } = provider
  const keepers = emergency_access.length === 0 ? words.allOwners : emergency_access.map(nameOf).join(', ')
  return (
    <Facts
      facts={[
        [
          words.issuer,
          <span key="issuer" className={typography['anywhere']}>
            {issuer}
          </span>,
        ],
        [words.clientId, client_id],
        [words.domains, domains.join(', ')],
        [words.mode, words.modeNames[mode]],
        [words.emergency, mode === 'required' && keepers],
        [words.firstSignIn, just_in_time ? words.firstSignIns.member : words.firstSignIns.refused],
        [words.rolesClaim, roles_claim],
        [words.mappings, mappings.length > 0 && <Mappings key="mappings" mappings={mappings} />],
        [words.defaultRole, teamTexts.roles[default_role]],
        [words.redirectUri, <CopiedValue key="redirect" text={redirect_uri} copyLabel={words.copyRedirectUri} />],
        [words.logoutUri, <CopiedValue key="logout" text={backchannel_logout_uri} copyLabel={words.copyLogoutUri} />],
        [words.changedAt, <Time key="changed" at={updated_at} />],
      ]}
    />
  )
}

/** What each group gives. */
function Mappings({ mappings }: { mappings: readonly ProviderMapping[] }) {
  const known = useOperation('projects.list', {}).data?.projects ?? []
  const nameOf = (id: string): string => known.find((project) => project.id === id)?.name ?? id
  return (
    <ul className={layout['stack2']}>
      {mappings.map(({ value, role, projects }) => (
        <li key={value} className={typography['anywhere']}>
          {value}:{' '}
          {[
            ...(role === null ? [] : [teamTexts.roles[role]]),
            ...projects.map(({ project_id }) => nameOf(project_id)),
          ].join(', ') || words.noRole}
        </li>
      ))}
    </ul>
  )
}
