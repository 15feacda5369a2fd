import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectingTrust, recordedTrust } from './recorded-trust.ts'
import { claimFixture, trustFolderFixture } from './trust.fixture.ts'
import { factOf } from './trust-fact.ts'
import { createTrustRecords, type TrustRecord } from './trust-records.ts'

const record = (folder = '/project'): TrustRecord => ({
  folder,
  by: 'ann',
  trustedAtMs: 5,
  facts: [factOf(claimFixture())],
})

function written() {
  const home = join(trustFolderFixture(), 'state', 'stint')
  const records = createTrustRecords(home)
  records.write(record())
  const file = join(home, 'trust', readdirSync(join(home, 'trust'))[0]!)
  return { home, records, file }
}

describe('records of trust', () => {
  it('are stored per folder, for their owner only, and never half written', () => {
    const { home, records, file } = written()
    records.write(record('/other'))
    expect(records.read('/project')).toEqual(record())
    expect(records.read('/other')).toEqual(record('/other'))
    expect(records.read('/third')).toBeNull()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'trust')).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(home, 'trust'))).toHaveLength(2)
  })

  it('replace each other, and can be removed', () => {
    const { records } = written()
    records.write({ ...record(), facts: [] })
    expect(records.read('/project')?.facts).toEqual([])
    expect(records.remove('/project')).toBe(true)
    expect(records.remove('/project')).toBe(false)
    expect(records.read('/project')).toBeNull()
  })

  it.each([
    ['is of another folder', (text: string) => text.replaceAll('/project', '/elsewhere')],
    ['is of another format', (text: string) => text.replace('stint-trust/1', 'stint-trust/9')],
    ['is cut', (text: string) => text.slice(0, -20)],
    ['has a malformed fact', (text: string) => text.replace('"digest"', '"digets"')],
  ])('trust nothing if the file %s', (_, change) => {
    const { records, file } = written()
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    expect(records.read('/project')).toBeNull()
  })

  it('trust nothing if others may write the file, or if it is a link or a folder', () => {
    const { records, file } = written()
    chmodSync(file, 0o622)
    expect(records.read('/project')).toBeNull()
    chmodSync(file, 0o600)
    renameSync(file, `${file}.moved`)
    symlinkSync(`${file}.moved`, file)
    expect(records.read('/project')).toBeNull()
    const { records: others, file: folder } = written()
    renameSync(folder, `${folder}.moved`)
    mkdirSync(folder)
    expect(others.read('/project')).toBeNull()
  })
})

describe('recorded trust', () => {
  it('accepts only what was trusted in that folder', () => {
    const { accepts } = recordedTrust(written().records)
    expect(accepts(claimFixture())).toBe(true)
    expect(accepts(claimFixture({ folder: '/other' }))).toBe(false)
    expect(accepts(claimFixture({ value: './other.log' }))).toBe(false)
  })
})

describe('collecting trust', () => {
  it('accepts everything, and reports each claim once', () => {
    const trust = collectingTrust()
    const claims = [claimFixture(), claimFixture(), claimFixture({ value: 'y' }), claimFixture({ folder: '/other' })]
    expect(claims.map((claim) => trust.accepts(claim))).toEqual([true, true, true, true])
    expect(trust.claims).toHaveLength(3)
  })
})
