import type { PersonalToken } from '@swath/client/operations.ts'
import { useCommand } from '../../../api/use-operation.ts'
import { buildTexts } from '../../../texts/build.ts'
import { credentialsTexts } from '../../../texts/credentials.ts'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { Time } from '../../../ui/figures.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { byState, CredentialBadge, describeState } from '../../../credentials/credential-state.tsx'
import { LastUse } from '../../../credentials/last-use.tsx'
import { ScopeList } from '../scopes/scope-list.tsx'
import typography from '../../../ui/typography.module.css'

const words = credentialsTexts.tokens
const columns = buildTexts.key

/** What tokens may do, their last uses, and a way to end each; revoked ones are last. */
export const TokenTable = ({ tokens }: { tokens: readonly PersonalToken[] }) => (
  <DataTable
    label={words.title}
    rows={byState(tokens)}
    getKey={({ id }) => id}
    fileName="access-tokens"
    columns={[
      {
        title: buildTexts.name,
        value: ({ name }) => name,
        render: ({ name, prefix }) => (
          <>
            <strong>{name}</strong>
            <br />
            <Identifier id={`${prefix}…`} />
          </>
        ),
      },
      {
        title: columns.state,
        value: (token) => `${describeState(token)}, ${columns.ends} ${token.expires_at}`,
        render: (token) => (
          <>
            <CredentialBadge credential={token} />
            {token.revoked_at === null && (
              <>
                <br />
                <small className={typography['muted']}>
                  {columns.ends} <Time at={token.expires_at} />
                </small>
              </>
            )}
          </>
        ),
      },
      {
        title: buildTexts.scopes,
        value: ({ scopes }) => scopes.join(', '),
        render: ({ scopes }) => <ScopeList scopes={scopes} />,
      },
      {
        title: columns.used,
        value: ({ last_used_at }) => last_used_at,
        render: ({ last_used_at, last_used_address }) => <LastUse at={last_used_at} address={last_used_address} />,
      },
      {
        title: columns.created,
        isWideOnly: true,
        value: ({ created_at }) => created_at,
        render: ({ created_at }) => <Time at={created_at} />,
      },
      {
        title: columns.change,
        render: (token) => token.revoked_at === null && <RevokeToken token={token} />,
      },
    ]}
  />
)

function RevokeToken({ token: { id, name } }: { token: PersonalToken }) {
  const revoke = useCommand('users.tokens.revoke', ['users.tokens.list'])
  return (
    <ConfirmButton
      label={buildTexts.revokeNamed(name)}
      verb={buildTexts.revoke}
      kind="danger"
      title={words.revokeTitle}
      subject={name}
      text={words.revokeText}
      cancel={buildTexts.keep}
      call={['users.tokens.revoke', { token_id: id }]}
      command={revoke}
    />
  )
}
