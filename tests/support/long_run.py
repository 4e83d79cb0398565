"""Tests that ``make test`` leaves to ``make test-full``, which runs all of them.

``make test`` has twenty minutes on two cores. These take seconds each, and show in another way, or
for a rarer input, what tests that stay show. Of cases that share what is dear, see ``all_but`` in
:mod:`tests.support.streaming.differential`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

_D: Final = "tests/dstream_compat"
_M: Final = "tests/migrator"

LONG_RUN: Final = (
    f"{_D}/api/test_dataframes.py::test_a_killed_planner_is_replaced",
    f"{_D}/api/test_dataframes.py::test_rdds_of_the_batch_before[1000000",
    f"{_D}/api/test_dataframes.py::test_watermarks_pass_through",
    f"{_D}/api/test_operations.py::test_second_sigterm_ends_at_once",
    f"{_D}/api/test_state_behind_transform.py::test_map_with_state_behind_transform",
    f"{_D}/batch/test_commit_delay.py::test_an_error_that_a_window_has_kept_holds_nothing_back",
    f"{_D}/batch/test_commit_delay.py::test_mended_code_computes_the_failed_batch[hard-a function",
    f"{_D}/batch/test_commit_delay.py::test_mended_code_computes_the_failed_batch[hard-two",
    f"{_D}/batch/test_commit_delay.py::test_mended_code_computes_the_failed_batch[hard-what",
    f"{_D}/batch/test_past_batches.py::test_slice_same_as_dstreams[prompt]",
    f"{_D}/batch/test_shipped_functions.py::test_map_with_state",
    f"{_D}/checkpoint/test_checkpoint.py::test_initial_state_is_recovered_as_state",
    f"{_D}/checkpoint/test_rebuild.py::test_another_timeout_is_taken",
    f"{_D}/checkpoint/test_rebuild.py::test_failed_batches_run_again_with_new_code",
    f"{_D}/checkpoint/test_rebuild.py::test_one_of_two_branches_may_change[now1]",
    f"{_D}/checkpoint/test_rebuild.py::test_one_of_two_branches_may_change[now2]",
    f"{_D}/checkpoint/test_rebuild.py::test_sources_and_states_keep_their_places[alike]",
    f"{_D}/checkpoint/test_rebuild.py::test_sources_and_states_keep_their_places[another",
    f"{_D}/checkpoint/test_rebuild.py::test_sources_and_states_keep_their_places[same]",
    f"{_D}/checkpoint/test_rebuild.py::test_state_of_another_form_is_refused[timeout]",
    f"{_D}/checkpoint/test_rebuild.py::test_state_of_another_order_is_refused",
    f"{_D}/checkpoint/test_rebuild.py::test_the_number_of_partitions_stays",
    f"{_D}/checkpoint/test_recovered_variables.py::test_a_model_that_was_trained",
    f"{_D}/checkpoint/test_recovered_variables.py::test_what_cannot_be_saved_any_more[lock]",
    f"{_D}/cli/test_jars.py::test_a_folder_for_another_machine",
    f"{_D}/differential/test_base_exceptions.py::test_an_interval_without_outputs",
    f"{_D}/differential/test_same_life.py::test_one_life",
    f"{_D}/differential/test_same_settings.py::test_batch_times_of_any_interval[0.25]",
    f"{_D}/differential/test_same_settings.py::test_batch_times_of_any_interval[60]",
    f"{_D}/job/test_ends.py::test_interrupt_while_spark_computes_a_batch",
    f"{_D}/job/test_ends.py::test_second_interrupt_during_a_graceful_stop",
    f"{_D}/listeners/test_listeners.py::test_batches_without_an_output_are_none",
    f"{_D}/listeners/test_streaming_tab.py::test_batches_are_those_of_dstreams",
    f"{_D}/native/test_numbers.py::test_numbers[None]",
    f"{_D}/native/test_numbers.py::test_numbers[flags]",
    f"{_D}/native/test_numbers.py::test_numbers[ints of 32 bits]",
    f"{_D}/native/test_numbers.py::test_numbers[small ints]",
    f"{_D}/old_checkpoint/test_taking_over.py::test_a_graph_that_is_rebuilt_before",
    f"{_D}/recovery/test_interrupted_batches.py::test_an_output_that_swallows_its_end",
    f"{_D}/recovery/test_interrupted_batches.py::test_the_first_batch_behind_a_transform[swallowed]",
    f"{_D}/source/files/test_file_names.py::test_a_folder_that_appears[binary]",
    f"{_D}/source/files/test_files.py::test_another_file_system_same_as_dstreams[text]",
    f"{_D}/source/kafka/test_kafka_direct.py::test_a_topic_gets_more_partitions",
    f"{_D}/source/kafka/test_kafka_direct.py::test_offsets_are_stored_in_the_group_if_asked",
    f"{_D}/source/kafka/test_kafka_limits.py::test_many_late_intervals_do_not_lift_the_limit",
    f"{_D}/source/kafka/test_kafka_receivers.py::test_many_groups_read_what_came_before_their_"
    "interval_ended[6]",
    f"{_D}/source/kafka/test_kafka_receivers.py::test_many_groups_read_what_came_before_their_"
    "interval_ended[4]",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[broken_queues-one by one]",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[queue_shapes-one by one]",
    f"{_D}/source/queues/test_queues.py::test_queues_same_as_dstreams[queues_of_all_kinds-one",
    f"{_D}/source/receivers/test_sockets.py::test_files_same_as_dstreams[binary]",
    f"{_D}/spark/test_workers.py::test_functions_of_modules_under_run",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_job[compat-0.5]",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_job[compat-17]",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_triggers[triggers0",
    f"{_D}/testing/test_intervals.py::test_batches_are_those_of_the_triggers[triggers3",
    f"{_D}/testing/test_intervals.py::test_the_interval_may_be_said",
    f"{_D}/testing/test_run_job.py::test_a_job_with_a_session_threads_and_files",
    f"{_D}/testing/test_run_batches.py::test_queries",
    f"{_D}/worker/operators/test_map_with_state_checkpoint.py::test_snapshots_go_on_after_a_recov",
    f"{_D}/worker/reading/test_codecs.py::test_what_hadoop_writes[BZip2Codec]",
    f"{_D}/worker/test_large_groups.py::test_a_large_partition_with_two_readers[source]",
    "tests/docs/test_demo.py::test_demo_ends_when_asked[2]",
    "tests/docs/test_full_run.py::test_a_unit_stays_on_one_process",
    "tests/docs/test_structured_page.py::test_command[migrate legacy_examples/network_wordcount",
    "tests/legacy_examples/test_usage.py::test_usage[compat-stateful_network_wordcount.py]",
    "tests/legacy_examples/test_usage.py::test_usage[compat-recoverable_network_wordcount.py]",
    "tests/legacy_examples/test_usage.py::test_usage[compat-windowed_wordcount.py]",
    f"{_D}/differential/test_same_texts.py::test_the_same_on_blocks[always-stages]",
    f"{_D}/differential/test_same_texts.py::test_the_same_on_blocks[never-oneTask]",
    f"{_D}/spark/test_attempts.py::test_functions_that_fail_at_first",
    f"{_D}/spark/test_socket_folder.py::test_a_job_whose_temporary_folder_has_a_long_path[submit]",
    f"{_M}/output/test_interruptions.py::test_a_recovery_killed_at_any_point",
    f"{_M}/structured/test_starts.py::test_a_batch_that_was_saved_and_not_committed",
    f"{_M}/verify/test_planted.py::test_a_harmless_change_passes[other order in a batch]",
    f"{_M}/verify/test_planted.py::test_a_harmless_change_passes[renamed variable]",
    f"{_M}/verify/test_planted.py::test_a_wrong_migration_is_caught[float]",
    f"{_M}/verify/test_planted.py::test_a_wrong_migration_is_caught[missed None]",
)
"""The beginnings of their names."""


def mark(items: Sequence[pytest.Item], whole: bool) -> None:
    """Mark such tests as ``full``.

    Parameters
    ----------
    items : sequence of Item
        what was collected
    whole : bool
        whether that is all there is: each name has to be there then

    Raises
    ------
    UsageError
        if no test has one of the names
    """
    known = set()
    for item in items:
        for name in LONG_RUN:
            if item.nodeid.startswith(name):
                item.add_marker(pytest.mark.full)
                known.add(name)
    if whole and (unknown := sorted({*LONG_RUN} - known)):
        raise pytest.UsageError(f"tests/support/long_run.py: no such tests: {unknown}")
