import { credentialsTexts } from '../texts/credentials.ts'
import { Time } from '../ui/figures.tsx'
import typography from '../ui/typography.module.css'

/** When a credential was used last, and from which address. */
export function LastUse({ at, address }: { at: string | null; address: string | null }) {
  if (at === null) return credentialsTexts.neverUsed
  return (
    <>
      <Time at={at} />
      {address !== null && (
        <>
          <br />
          <small className={typography['muted']}>{credentialsTexts.from(address)}</small>
        </>
      )}
    </>
  )
}
