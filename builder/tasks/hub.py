"""The data source `hub`: data sets of the Hugging Face Hub, or folders that `datasets` can load."""

from typing import TYPE_CHECKING, Any

from builder.tasks.data_source import DataSource, RawRecord, RawRecords, RawRow, RawRows
from builder.tasks.file import EMPTY_TEXT
from contract.machine.errors import ExitCode, UserError, bad_input
from contract.machine.hashes import hash_of
from contract.machine.problems import shown
from contract.machine.registry import did_you_mean
from contract.task_kinds.tagging import TAGGING

if TYPE_CHECKING:
    from builder.tasks.task_recipe import ReadOptions


def read_hub(argument: str, options: "ReadOptions") -> RawRows:
    """Return the rows of one split; `hub:glue/sst2` is the config sst2 of the data set glue."""
    data_set = _load(argument, options)
    columns = options.columns
    has_label = options.default_label is None or columns.label in data_set.column_names
    wanted = [columns.text, *([columns.label] if has_label else [])] + (
        [columns.text_pair] if columns.text_pair is not None else []
    )
    for column in wanted:
        if column not in data_set.column_names:
            guess = did_you_mean(str(column), data_set.column_names)
            known = ", ".join(data_set.column_names)
            raise bad_input(f"hub:{argument}: no column {column!r};{guess} its columns are: {known}")
    label_type = data_set.features[columns.label] if has_label else None
    names = tuple(getattr(label_type, "names", None) or ()) or None
    rows = []
    for number, record in enumerate(data_set.select_columns(wanted)):
        label: Any = record[columns.label] if has_label else None
        # The Hub writes -1 where a label is withheld.
        is_unlabelled = label is None or label == -1
        if is_unlabelled and options.unlabelled == "drop" and options.default_label is None:
            continue
        texts = [record[column] for column in (columns.text, columns.text_pair) if column is not None]
        if not all(text is not None and str(text).strip() for text in texts):
            if options.empty == "drop":
                continue
            raise bad_input(f"hub:{argument} row {number}: {EMPTY_TEXT}")
        if names and not is_unlabelled and not (isinstance(label, int) and 0 <= label < len(names)):
            raise bad_input(f"hub:{argument} row {number}: the label {shown(label)} is none of its names")
        found = "" if is_unlabelled else names[label] if names else str(label)
        rows.append(
            RawRow(
                row=number,
                place=f"hub:{argument} row {number}",
                text=str(record[columns.text]),
                text_pair=None if columns.text_pair is None else str(record[columns.text_pair]),
                label=found or options.default_label or "",
            )
        )
    content = [[row.text, row.text_pair, row.label] for row in rows]
    return RawRows(rows=rows, labels=names, sha256=hash_of(content), licence=data_set.info.license or None)


def _load(argument: str, options: "ReadOptions") -> Any:
    """Return the split; an id that is not found is tried once more as DATA_SET/CONFIG."""
    try:
        import datasets
    except ImportError:
        raise UserError(
            "hub: sources need `datasets`; install it with `pip install hardfrost[build]`"
        ) from None
    tries: list[tuple[str, str | None]] = [(argument, options.config)]
    if options.config is None and "/" in argument:
        owner, _, rest = argument.rpartition("/")
        tries.append((owner, rest))
    # The one reader of `datasets` that loads pickles, by its own name.
    if any(name == "pandas" for name, _ in tries):
        raise bad_input(f"hub:{argument}: pickles are not read; name a data set of the Hub or a folder")
    faults = []
    for name, config in tries:
        try:
            return datasets.load_dataset(name, config, split=options.split, revision=options.revision)
        except Exception as error:  # noqa: BLE001
            # Whatever its readers of Parquet, CSV and JSON trip over.
            words = next(iter(str(error).splitlines()), "") or type(error).__name__
            faults.append(f"{name}{f' ({config})' if config else ''}: {words}")
    raise UserError(
        f"hub:{argument} cannot be loaded: {'; then '.join(faults)};"
        " check the name, `config` and `split` under read, and the network",
        exit_code=ExitCode.NETWORK,
    )


def read_records(argument: str, options: "ReadOptions", kind: str) -> RawRecords:
    """Return the records of a data set, for a task with many labels a text; classes by their names."""
    data_set = _load(argument, options)
    if kind == TAGGING.name:
        wanted = [options.columns.text, options.columns.label]
    else:
        columns = options.columns
        wanted = [columns.text, *([columns.text_pair] if columns.text_pair else [])]
        wanted += list(columns.labels) or [columns.label]
    for column in wanted:
        if column not in data_set.column_names:
            known = ", ".join(data_set.column_names)
            raise bad_input(f"hub:{argument}: no column {column!r}; its columns are: {known}")
    names = {column: _names_in(data_set.features[column]) for column in wanted}
    records = []
    for number, record in enumerate(data_set.select_columns(wanted)):
        for column, of_column in names.items():
            if of_column and isinstance(record[column], list):
                record[column] = [of_column[item] for item in record[column]]
        records.append(RawRecord(row=number, place=f"hub:{argument} row {number}", record=record))
    content = [each.record for each in records]
    return RawRecords(records=records, sha256=hash_of(content), licence=data_set.info.license or None)


def _names_in(feature: Any) -> tuple[str, ...]:
    """Return the names of the classes that a column of lists has."""
    inner = feature[0] if isinstance(feature, list) and feature else getattr(feature, "feature", None)
    return tuple(getattr(inner, "names", None) or ())


HUB = DataSource(
    name="hub",
    summary="a data set of the Hugging Face Hub, or a local data set folder",
    read=read_hub,
    argument="NAME",
    read_records=read_records,
)
