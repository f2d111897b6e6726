import { Ban, CircleCheck, Hourglass } from 'lucide-react'
import type { ApiKey } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Identifier } from '../../ui/identifier.tsx'
import { Section } from '../../ui/screen.tsx'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { describePermissions } from './permissions.ts'
import styles from './build.module.css'

const words = texts.build.key

export interface KeyRowProps {
  readonly apiKey: ApiKey
  /** Absent for a key that is revoked. */
  readonly onReplace?: () => void
}

/** What a key may do, when it was used, and ways to end it. */
export function KeyRow({ apiKey, onReplace }: KeyRowProps) {
  const { name, prefix, permissions, spend_cap_credits, rate_limit, last_used_at, expires_at, created_at } = apiKey
  return (
    <Section title={name} actions={<KeyState apiKey={apiKey} />}>
      <Facts
        facts={[
          [words.prefix, <Identifier key="prefix" id={`${prefix}…`} />],
          [texts.build.scopes, describePermissions(permissions)],
          [words.cap, spend_cap_credits === null ? words.noCap : formatCredits(spend_cap_credits)],
          [words.rate, rate_limit !== null && words.perMinute(rate_limit)],
          [words.used, last_used_at ? <Time key="used" at={last_used_at} /> : words.never],
          [words.created, <Time key="created" at={created_at} />],
          [words.ends, expires_at ? <Time key="ends" at={expires_at} /> : words.never],
        ]}
      />
      {onReplace && (
        <div className={styles['row']}>
          <Button aria-label={texts.build.rotateNamed(name)} onClick={onReplace}>
            {texts.build.rotate}
          </Button>
          <RevokeKey apiKey={apiKey} />
        </div>
      )}
    </Section>
  )
}

function KeyState({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at)
    return (
      <Badge icon={Ban} tone="neutral">
        {texts.build.revoked}
      </Badge>
    )
  if (expires_at && Date.parse(expires_at) < Date.now())
    return (
      <Badge icon={Hourglass} tone="neutral">
        {texts.build.expired}
      </Badge>
    )
  return (
    <Badge icon={CircleCheck} tone="good">
      {texts.build.works}
    </Badge>
  )
}

function RevokeKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const revoke = useCommand('api_keys.revoke', ['api_keys.list'])
  const input = { key_id: id }
  return (
    <ConfirmButton
      label={texts.build.revokeNamed(name)}
      verb={texts.build.revoke}
      kind="danger"
      title={texts.build.revokeTitle}
      subject={name}
      text={texts.build.revokeText}
      cancel={texts.build.keep}
      call={['api_keys.revoke', input]}
      command={revoke}
    />
  )
}
