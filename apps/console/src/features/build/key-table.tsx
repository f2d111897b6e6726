import { Ban, CircleCheck, Hourglass, type LucideIcon } from 'lucide-react'
import type { ApiKey } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { buildTexts } from '../../texts/build.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Identifier } from '../../ui/identifier.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { describePermissions } from './permissions.ts'
import layout from '../../ui/layout.module.css'

const words = buildTexts.key

export interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  readonly onReplace: (key: ApiKey) => void
}

const stateOf = ({ revoked_at, expires_at }: ApiKey): 'revoked' | 'expired' | 'works' => {
  if (revoked_at) return 'revoked'
  return expires_at && Date.parse(expires_at) < Date.now() ? 'expired' : 'works'
}

/** The permissions and last uses of keys, and ways to end them; revoked keys are last. */
export function KeyTable({ keys, onReplace }: KeyTableProps) {
  const [working, revoked] = [true, false].map((isWorking) =>
    keys.filter((key) => (key.revoked_at === null) === isWorking),
  )
  return (
    <DataTable
      label={buildTexts.keys}
      rows={[...working!, ...revoked!]}
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
          value: (key) => buildTexts[stateOf(key)],
          render: (key) => {
            const [icon, tone] = stateLooks[stateOf(key)]
            return (
              <Badge icon={icon} tone={tone}>
                {buildTexts[stateOf(key)]}
              </Badge>
            )
          },
        },
        {
          title: buildTexts.scopes,
          value: ({ permissions }) => describePermissions(permissions),
          render: ({ permissions }) => describePermissions(permissions),
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
          render: ({ last_used_at: at }) => (at ? <Time at={at} /> : words.never),
        },
        {
          title: words.created,
          isWideOnly: true,
          value: ({ created_at }) => created_at,
          render: ({ created_at }) => <Time at={created_at} />,
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

const stateLooks: Readonly<Record<ReturnType<typeof stateOf>, readonly [LucideIcon, Tone]>> = {
  works: [CircleCheck, 'good'],
  expired: [Hourglass, 'neutral'],
  revoked: [Ban, 'neutral'],
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
