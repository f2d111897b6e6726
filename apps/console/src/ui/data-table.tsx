import { Fragment, type ReactNode } from 'react'
import styles from './data-table.module.css'

export interface Column<Row> {
  readonly title: string
  readonly isNumeric?: boolean
  /** Left out on small screens: what it says is in another column, too, or in the detail of the row. */
  readonly isWideOnly?: boolean
  readonly render: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly getKey: (row: Row) => string
  /** What stands below a row that is opened; null for the others. */
  readonly renderDetail?: (row: Row) => ReactNode
}

export function DataTable<Row>({ label, columns, rows, getKey, renderDetail }: DataTableProps<Row>) {
  return (
    <div className={styles['scroller']} tabIndex={0} role="group" aria-label={label}>
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumeric, isWideOnly }) => (
              <th key={title} scope="col" data-numeric={isNumeric || undefined} data-wide={isWideOnly || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={getKey(row)}>
              <tr>
                {columns.map(({ title, isNumeric, isWideOnly, render }) => (
                  <td key={title} data-numeric={isNumeric || undefined} data-wide={isWideOnly || undefined}>
                    {render(row)}
                  </td>
                ))}
              </tr>
              <Detail columns={columns.length}>{renderDetail?.(row)}</Detail>
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Detail({ columns, children }: { columns: number; children: ReactNode }) {
  if (!children) return null
  return (
    <tr className={styles['detail']}>
      <td colSpan={columns}>{children}</td>
    </tr>
  )
}
