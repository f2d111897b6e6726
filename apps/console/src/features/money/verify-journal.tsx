import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import type { JournalExportLine } from '@swath/client/operations.ts'
import { usePlatform } from '../../api/platform.tsx'
import { moneyTexts } from '../../texts/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Identifier } from '../../ui/identifier.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import { verifyChain, type ChainResult } from './ledger-chain.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = moneyTexts.chain

/** The hash chain of the journal, recomputed in this browser: the platform is not asked whether it is right. */
export function VerifyJournal() {
  const { client } = usePlatform()
  const [checked, setChecked] = useState(0)
  const verify = useMutation({
    mutationFn: () =>
      verifyChain(
        (after, limit) => client.lines<JournalExportLine>('billing.ledger.export', { after, limit }),
        setChecked,
      ),
    onMutate: () => setChecked(0),
  })
  // Browsers compute hashes on pages of HTTPS and of this computer only.
  if (!globalThis.crypto?.subtle) return null
  return (
    <Section title={words.title} actions={<CopyCall operation="billing.ledger.export" input={{}} />}>
      <p className={typography['muted']}>{words.help}</p>
      <div>
        <Button isPending={verify.isPending} onClick={() => verify.mutate()}>
          {moneyTexts.verify}
        </Button>
      </div>
      {verify.isPending && <p role="status">{words.progress(checked)}</p>}
      {verify.data && <Verdict result={verify.data} />}
      {verify.isError && <ProblemNote error={verify.error} isRead />}
    </Section>
  )
}

function Verdict({ result: { chain, fault } }: { result: ChainResult }) {
  return (
    <div className={`${layout['stack8']} ${layout['starts']}`} role="status">
      {fault ? (
        <>
          <Badge icon={CircleX} tone="bad">
            {words.broken(fault.position)}
          </Badge>
          <p>{words.faults[fault.kind]}</p>
          <p className={typography['muted']}>{words.intact(chain.entries)}</p>
          <Identifier id={fault.entryId} />
        </>
      ) : (
        <>
          <Badge icon={CircleCheck} tone="good">
            {moneyTexts.verified(chain.entries)}
          </Badge>
          {chain.entries > 0 && (
            <>
              <p className={typography['muted']}>{words.upTo}</p>
              <Identifier id={chain.hash} />
              <div>
                <CopyButton label={words.copyHash} text={chain.hash} />
              </div>
            </>
          )}
        </>
      )}
    </div>
  )
}
