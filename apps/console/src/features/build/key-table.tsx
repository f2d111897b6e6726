import type { ApiKey } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { buildTexts } from '../../texts/build.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Identifier } from '../../ui/identifier.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { uiTexts } from '../../texts/ui.ts'
import { byState, CredentialBadge, describeState } from '../../credentials/credential-state.tsx'
import { LastUse } from '../../credentials/last-use.tsx'
import { accessOf, describePermissions } from './permissions.ts'
import { ScopeList } from './scopes/scope-list.tsx'
import layout from '../../ui/layout.module.css'

const words = buildTexts.key

export interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  readonly onReplace: (key: ApiKey) => void
}

/** The permissions and last uses of keys, and ways to end them; revoked keys are last. */
export function KeyTable({ keys, onReplace }: KeyTableProps) {
  return (
    <DataTable
      label={buildTexts.keys}
      rows={byState(keys)}
      getKey={({ id }) => id}
      fileName="api-keys"
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
          title: words.state,
          value: describeState,
          render: (key) => <CredentialBadge credential={key} />,
        },
        {
          title: buildTexts.scopes,
          value: ({ permissions }) => describePermissions(permissions),
          render: ({ permissions }) =>
            accessOf(permissions) === 'chosen' ? <ScopeList scopes={permissions} /> : describePermissions(permissions),
        },
        {
          title: words.cap,
          isNumeric: true,
          value: ({ spend_cap_credits }) => spend_cap_credits,
          render: ({ spend_cap_credits: cap }) => (cap === null ? words.noCap : formatCredits(cap)),
        },
        {
          title: words.rate,
          isNumeric: true,
          isWideOnly: true,
          value: ({ rate_limit }) => rate_limit,
          render: ({ rate_limit: rate }) => rate !== null && words.perMinute(rate),
        },
        {
          title: words.used,
          value: ({ last_used_at }) => last_used_at,
          render: ({ last_used_at, last_used_address }) => <LastUse at={last_used_at} address={last_used_address} />,
        },
        {
          title: words.created,
          isWideOnly: true,
          value: ({ created_at }) => created_at,
          render: ({ created_at }) => <Time at={created_at} />,
        },
        {
          title: words.maker,
          isWideOnly: true,
          value: ({ created_by_name }) => created_by_name ?? uiTexts.formerMember,
          render: ({ created_by_name }) => created_by_name ?? uiTexts.formerMember,
        },
        {
          title: words.ends,
          isWideOnly: true,
          value: ({ expires_at }) => expires_at,
          render: ({ expires_at: at }) => (at ? <Time at={at} /> : words.never),
        },
        {
          title: words.change,
          render: (key) =>
            key.revoked_at === null && (
              <div className={layout['wrap']}>
                <Button aria-label={buildTexts.rotateNamed(key.name)} onClick={() => onReplace(key)}>
                  {buildTexts.rotate}
                </Button>
                <RevokeKey apiKey={key} />
              </div>
            ),
        },
      ]}
    />
  )
}

function RevokeKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const revoke = useCommand('api_keys.revoke', ['api_keys.list'])
  const input = { key_id: id }
  return (
    <ConfirmButton
      label={buildTexts.revokeNamed(name)}
      verb={buildTexts.revoke}
      kind="danger"
      title={buildTexts.revokeTitle}
      subject={name}
      text={buildTexts.revokeText}
      cancel={buildTexts.keep}
      call={['api_keys.revoke', input]}
      command={revoke}
    />
  )
}
