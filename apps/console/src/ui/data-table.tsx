import type { ReactNode } from 'react'
import styles from './data-table.module.css'

export interface Column<Row> {
  readonly title: string
  readonly isNumeric?: boolean
  readonly render: (row: Row) => ReactNode
}

export interface DataTableProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly getKey: (row: Row) => string
}

export function DataTable<Row>({ label, columns, rows, getKey }: DataTableProps<Row>) {
  return (
    <div className={styles['scroller']} tabIndex={0} role="group" aria-label={label}>
      <table className={styles['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumeric }) => (
              <th key={title} scope="col" data-numeric={isNumeric || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)}>
              {columns.map(({ title, isNumeric, render }) => (
                <td key={title} data-numeric={isNumeric || undefined}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
