import { adminTexts } from '../../texts/admin.ts'
import { formatCount } from '../../ui/format.ts'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

/** Says below a list that it is not complete, so that nobody takes a missing row for a missing entry. */
export const RestNote = ({ shown, total }: { readonly shown: number; readonly total: number }) =>
  total > shown ? (
    <p className={`${layout['inset']} ${typography['muted']}`}>
      {adminTexts.newestOf(formatCount(shown), formatCount(total))}
    </p>
  ) : null
