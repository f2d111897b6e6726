import { CircleCheck, CircleX, Hourglass, type LucideIcon } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type { OrganizationDomain } from '@swath/client/operations.ts'
import { isForbidden } from '../../../api/problem.ts'
import { readRefusedFields } from '../../../api/refused-fields.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { signOnTexts } from '../../../texts/sign-on.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { CopiedValue } from '../../../credentials/copied-value.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Time } from '../../../ui/figures.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import styles from './sign-on.module.css'
import { domainsInput } from './reads.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = signOnTexts.domains
const affected = ['organizations.domains.list'] as const
const fieldNames = new Set(['domain'])

/** The domains whose addresses belong to the organization. */
export function Domains() {
  const domains = useOperation('organizations.domains.list', domainsInput)
  return (
    <Section title={words.heading} actions={<CopyCall operation="organizations.domains.list" input={domainsInput} />}>
      <p className={typography['muted']}>{words.help}</p>
      <QueryView query={domains} rows={2}>
        {({ domains: known, total }) =>
          known.length === 0 ? (
            <p>{words.none}</p>
          ) : (
            <>
              <ul className={layout['stack12']}>
                {known.map((domain) => (
                  <DomainRow key={domain.domain} domain={domain} />
                ))}
              </ul>
              {total > known.length && <p className={typography['muted']}>{words.more(total - known.length)}</p>}
            </>
          )
        }
      </QueryView>
      {!isForbidden(domains.error) && <AddDomain />}
    </Section>
  )
}

function AddDomain() {
  const add = useCommand('organizations.domains.add', affected)
  const [domain, setDomain] = useState('')
  const input = { domain: domain.trim() }
  const refused = readRefusedFields(add.error, null, fieldNames)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    add.mutate(input, { onSuccess: () => setDomain('') })
  }
  return (
    <form className={`${layout['stack8']} ${styles['form']}`} onSubmit={submit}>
      <TextField
        label={words.domain}
        help={words.domainHelp}
        required
        minLength={3}
        maxLength={253}
        spellCheck={false}
        autoCapitalize="none"
        value={domain}
        onChange={setDomain}
        error={refused['domain'] ?? null}
      />
      <div className={layout['wrap']}>
        <Button type="submit" isPending={add.isPending}>
          {words.add}
        </Button>
        {input.domain !== '' && <CopyCall operation="organizations.domains.add" input={input} />}
      </div>
      {add.isError && Object.keys(refused).length === 0 && <ProblemNote error={add.error} />}
    </form>
  )
}

const stateLooks: Readonly<Record<OrganizationDomain['state'], readonly [LucideIcon, Tone]>> = {
  pending: [Hourglass, 'active'],
  verified: [CircleCheck, 'good'],
  lost: [CircleX, 'warning'],
}

function DomainRow({ domain: row }: { domain: OrganizationDomain }) {
  const { domain, state, record_name, record_value, verified_at, checked_at, problem } = row
  const [icon, tone] = stateLooks[state]
  return (
    <li className={layout['stack8']} aria-label={domain}>
      <div className={layout['spread']}>
        <strong className={typography['anywhere']}>{domain}</strong>
        <Badge icon={icon} tone={tone}>
          {words.states[state]}
        </Badge>
      </div>
      {state !== 'verified' && (
        <p className={typography['muted']}>{state === 'lost' ? words.recordLost : words.record}</p>
      )}
      <Facts
        facts={[
          ...(state === 'verified'
            ? []
            : ([
                [words.recordName, <CopiedValue key="name" text={record_name} copyLabel={words.copyName} />],
                [words.recordValue, <CopiedValue key="value" text={record_value} copyLabel={words.copyValue} />],
              ] as const)),
          [words.verifiedAt, state === 'verified' && verified_at && <Time key="verified" at={verified_at} />],
          [words.checkedAt, checked_at && <Time key="checked" at={checked_at} />],
        ]}
      />
      {problem !== null && (
        <p className={`${typography['warning']} ${typography['anywhere']}`} role="status">
          {problem}
        </p>
      )}
      <DomainActs domain={row} />
    </li>
  )
}

function DomainActs({ domain: { domain, state } }: { domain: OrganizationDomain }) {
  const verify = useCommand('organizations.domains.verify', affected)
  const remove = useCommand('organizations.domains.remove', [...affected, 'organizations.provider.get'])
  return (
    <>
      <div className={layout['wrap']}>
        {state !== 'verified' && (
          <Button
            aria-label={words.verifyNamed(domain)}
            isPending={verify.isPending}
            onClick={() => verify.mutate({ domain })}
          >
            {words.verify}
          </Button>
        )}
        <ConfirmButton
          label={words.removeNamed(domain)}
          verb={words.remove}
          kind="plain"
          confirmKind="danger"
          title={words.removeTitle(domain)}
          subject={domain}
          text={words.removeText}
          cancel={signOnTexts.cancel}
          call={['organizations.domains.remove', { domain }]}
          command={remove}
        />
      </div>
      {verify.data?.domain.state === 'verified' && <p role="status">{words.verified(domain)}</p>}
      {verify.isError && <ProblemNote error={verify.error} />}
    </>
  )
}
